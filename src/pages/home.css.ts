/** Style sheet of the home page. It is inlined, so that the page needs no second request. */
export const HOME_CSS = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#f6f7f9, #14161a);
  --card: light-dark(#ffffff, #1d2026);
  --line: light-dark(#d7dbe2, #363b45);
  --text: light-dark(#16181d, #e9ebef);
  --soft: light-dark(#545b68, #a9b0bd);
  --accent: light-dark(#3a36c4, #a7a5ff);
  --on-accent: light-dark(#ffffff, #14161a);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--text); font: 16px/1.6 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 2.5rem 1.25rem 4rem; }
.welcome { padding: 1.5rem 0 .5rem; text-align: center; text-wrap: balance; }
.welcome .lead { margin: 0 auto; }
h1 { margin: 0 0 .75rem; font-size: clamp(1.9rem, 5vw, 2.75rem); line-height: 1.15; letter-spacing: -.02em; }
h2 { margin: 3rem 0 1rem; font-size: 1.25rem; letter-spacing: -.01em; }
p { margin: 0; }
a { color: var(--accent); }
.lead { max-width: 40rem; color: var(--soft); font-size: 1.125rem; }
h2 + .lead { max-width: none; font-size: 1rem; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.75rem; }
.button { padding: .6rem 1.1rem; border: 1px solid var(--accent); border-radius: .6rem; font-weight: 600; text-decoration: none; }
.button.first { background: var(--accent); color: var(--on-accent); }
.button:hover { filter: brightness(1.1); }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: .6rem; }
.note { margin-top: .75rem; color: var(--soft); font-size: .9rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .9rem; margin: 0; padding: 0; list-style: none; }
.cards a { display: block; height: 100%; padding: 1rem 1.1rem; border: 1px solid var(--line); border-radius: .8rem; background: var(--card); color: inherit; text-decoration: none; }
.cards a:hover { border-color: var(--accent); }
.doors { grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); margin-top: 1.75rem; }
.doors a { padding: 0 0 1.3rem; overflow: hidden; }
.doors img { display: block; width: 100%; height: auto; margin-bottom: 1rem; border-bottom: 1px solid var(--line); }
.doors strong, .doors span { padding: 0 1.3rem; }
.doors span { display: block; }
.doors strong { font-size: 1.25rem; }
pre.line { white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; cursor: copy; }
.note + .cards, .command + .cards { margin-top: 1.25rem; }
.cards strong { display: block; color: var(--accent); }
.cards span { color: var(--soft); font-size: .925rem; }
ol { margin: 0; padding: 0; list-style: none; counter-reset: step; }
ol > li { position: relative; padding: 0 0 1.5rem 2.75rem; counter-increment: step; }
ol > li::before { content: counter(step); position: absolute; left: 0; top: 0; width: 1.75rem; height: 1.75rem; border-radius: 50%; background: var(--accent); color: var(--on-accent); font-size: .875rem; font-weight: 700; line-height: 1.75rem; text-align: center; }
ol.row { display: grid; grid-template-columns: repeat(auto-fit, minmax(13rem, 1fr)); gap: .5rem 1.5rem; margin-bottom: -1.5rem; }
.tour { margin-top: 3rem; }
.tour > summary { margin: 0; }
.tour > summary > h2 { display: inline; }
.tour > ol { margin-top: 1.5rem; }
pre { margin: .6rem 0 0; padding: .9rem 1.1rem; overflow-x: auto; border: 1px solid var(--line); border-radius: .8rem; background: var(--card); font: .85rem/1.55 ui-monospace, Menlo, Consolas, monospace; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .9em; }
pre code { font-size: 1em; }
.command { position: relative; }
.command > .copy { position: absolute; inset: .65rem .7rem auto auto; padding: .2rem .7rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--bg); color: var(--text); font: .85rem/1.5 system-ui, sans-serif; cursor: pointer; }
.command > .copy:hover { border-color: var(--accent); color: var(--accent); }
.command > .copy:focus-visible, summary:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.command > .copy + pre { padding-right: 5.5rem; }
summary { width: fit-content; margin-top: .4rem; color: var(--accent); cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ""; display: inline-block; width: .45em; height: .45em; margin: 0 .7em .12em .2em; border: solid currentcolor; border-width: 0 2px 2px 0; rotate: -45deg; }
details[open] > summary::before { rotate: 45deg; }
footer { margin-top: 2.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; }
@media (max-width: 40rem) { main { padding-top: 2rem; } ol > li { padding-left: 0; } ol > li > p:first-child { padding-left: 2.5rem; min-height: 1.75rem; } }
`;
