/** The service as its pages describe it: its address, and which pages it serves. */
export interface Site {
  /** Path of the service in its public URL, without a trailing slash. */
  base: string;
  publicUrl: string;
  /** True if the storefront, the console and the desk are served. */
  web: boolean;
  playground: boolean;
  introspection: boolean;
  mailbox: boolean;
  production: boolean;
  /** True if the service issues its own tokens (D14): then one click signs in as a demo account. */
  isDemo: boolean;
}

/** The mark of the product. */
export const MARK =
  '<svg class="mark frame-mark" viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="6"/><path d="M6.5 16.5V8l5.5 5.5L17.5 8v8.5"/></svg>';

/** Returns the header that the pages outside of the browser application share, with its current page marked. */
export function frame({ base, web, playground, mailbox }: Site, current: string): string {
  const links = [
    web && (['/market', 'Marketplace'] as const),
    web && (['/console', 'For developers'] as const),
    playground && (['/playground', 'Playground'] as const),
    ['/docs', 'Reference'] as const,
    mailbox && (['/dev/mailbox', 'Mailbox'] as const),
  ].filter((link) => link !== false);
  const items = links.map(
    ([path, label]) =>
      `<a href="${base}${path}"${path === current ? ' aria-current="page"' : ''}>${label}</a>`,
  );
  return `<header class="frame">
  <a class="frame-brand" href="${base}/">${MARK} Marketplace gateway</a>
  <nav aria-label="Pages">${items.join('')}</nav>
</header>`;
}

/** Style sheet of the header. Its colours are those of the browser application. Altair has another size for rem. */
export const FRAME_CSS = `
.frame { display: flex; flex-wrap: wrap; gap: 4px 20px; align-items: center; padding: 9.6px clamp(12px, 3vw, 32px); border-bottom: 1px solid light-dark(#d7dbe2, #363b45); background: light-dark(#ffffff, #1d2026); font: 16px/1.5 system-ui, sans-serif; }
.frame a { padding: 6.4px 8px; border-radius: 8px; color: light-dark(#545b68, #a9b0bd); font-weight: 550; text-decoration: none; }
.frame a:hover { background: light-dark(#eef0f4, #272b33); }
.frame a:focus-visible { outline: 3px solid light-dark(#3a36c4, #a7a5ff); outline-offset: 2px; }
.frame a[aria-current] { background: light-dark(#e7e7fb, #262648); color: light-dark(#3a36c4, #a7a5ff); }
.frame nav { display: flex; flex-wrap: wrap; gap: 1.6px; margin: 0; }
.frame .frame-brand { display: flex; gap: 9.6px; align-items: center; padding-inline: 0; color: light-dark(#16181d, #e9ebef); font-weight: 700; }
/* In one row from a tablet on. */
@media (min-width: 641px) and (max-width: 940px) {
  .frame { column-gap: 4px; padding-inline: 16px; font-size: clamp(14px, 1.75vw, 16px); }
  .frame a { padding-inline: 4px; }
}
@media (max-width: 640px) {
  .frame nav { flex-wrap: nowrap; width: 100%; overflow-x: auto; scrollbar-width: none; }
  .frame nav a { flex: none; }
  .frame nav a[aria-current] { order: -1; }
}
.frame-mark { width: 28px; height: 28px; flex: none; }
.frame-mark rect { fill: light-dark(#3a36c4, #a7a5ff); }
.frame-mark path { fill: none; stroke: light-dark(#ffffff, #14161a); stroke-width: 2.4; stroke-linecap: round; stroke-linejoin: round; }
`;
