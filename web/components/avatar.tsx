const COLORS = 6;

/** Returns at most two initials, such as "FF" for "Fjord & Field". */
const initialsOf = (name: string): string => {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '')
    .join('');
};

const colorOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % COLORS;

/** The initials of a person or company. The name is beside it. */
export const Avatar = ({ name, isLarge = false }: { name: string; isLarge?: boolean }) => (
  <span class={`avatar color-${colorOf(name)} ${isLarge ? 'large' : ''}`} aria-hidden="true">
    {initialsOf(name)}
  </span>
);
