/** An address whose lines break after @, dots and slashes, and not within a word. */
export const Breakable = ({ text }: { text: string }) => (
  <>
    {text.split(/(?<=[@./])/).map((part, index) => (
      <span key={`${index}`}>
        {part}
        <wbr />
      </span>
    ))}
  </>
);
