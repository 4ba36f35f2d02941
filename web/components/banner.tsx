import { Picture } from './picture.tsx';

/** The banner of an app: always 2:1, and always shown whole, whatever the size of the file. */
export const Banner = ({ url, isEager = false }: { url: string | null; isEager?: boolean }) => (
  <div class="banner">
    <Picture url={url} alt="" isEager={isEager} />
  </div>
);
