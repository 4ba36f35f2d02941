import { useState } from 'preact/hooks';

interface PictureProps {
  url: string | null;
  /** Describes the picture; empty if a text beside it does. */
  alt: string;
  class?: string;
  /** True for a picture that the first screen shows: it is loaded without waiting. */
  isEager?: boolean;
  /** Told the size in pixels when the picture has been loaded, and null when it cannot be. */
  onMeasured?: (size: { width: number; height: number } | null) => void;
}

/** A picture of a listing. If it cannot be loaded, the page says so in its place. */
export function Picture({ url, alt, class: name = '', isEager = false, onMeasured }: PictureProps) {
  const [failed, setFailed] = useState<string | null>(null);
  if (!url || failed === url)
    return (
      <div class={`picture-missing ${name}`}>{url ? 'This picture cannot be loaded.' : 'No picture'}</div>
    );
  return (
    <img
      class={name}
      src={url}
      alt={alt}
      loading={isEager ? 'eager' : 'lazy'}
      referrerpolicy="no-referrer"
      onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
        onMeasured?.({ width, height })
      }
      onError={() => {
        setFailed(url);
        onMeasured?.(null);
      }}
    />
  );
}

interface LogoProps {
  url: string | null;
  name: string;
  isEager?: boolean;
}

/** The logo of an app. Its first letter stands there until the picture is loaded, and if it cannot be. */
export function Logo({ url, name, isEager = false }: LogoProps) {
  const [state, setState] = useState<{ url: string; isLoaded: boolean } | null>(null);
  const known = state?.url === url ? state : null;
  return (
    <span class="logo" aria-hidden="true">
      {!known?.isLoaded && [...name][0]?.toUpperCase()}
      {url && (known?.isLoaded ?? true) && (
        <img
          src={url}
          alt=""
          loading={isEager ? 'eager' : 'lazy'}
          referrerpolicy="no-referrer"
          onLoad={() => setState({ url, isLoaded: true })}
          onError={() => setState({ url, isLoaded: false })}
        />
      )}
    </span>
  );
}
