/** Style sheet of the mailbox, in addition to that of the home page. */
export const MAILBOX_CSS = `
h1 { font-size: 1.75rem; }
.lead { font-size: 1rem; }
.back { margin-bottom: 1rem; }
.back a:not(:hover) { text-decoration: none; }
.empty { padding: 2rem; border: 1px dashed var(--line); border-radius: .8rem; color: var(--soft); text-align: center; }
.mails { margin: 1.5rem 0 0; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: .8rem; background: var(--card); overflow: hidden; }
.mails li + li { border-top: 1px solid var(--line); }
.mails a { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; padding: .8rem 1.1rem; color: inherit; text-decoration: none; }
.mails a:hover { background: var(--bg); }
.mails a:focus-visible { outline-offset: -3px; }
.mails strong { color: var(--accent); overflow-wrap: anywhere; }
.mails span, .mails time { color: var(--soft); font-size: .9rem; overflow-wrap: anywhere; }
.mails time { grid-row: 1; grid-column: 2; white-space: nowrap; }
h1.subject { font-size: clamp(1.4rem, 4vw, 1.9rem); overflow-wrap: anywhere; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0; font-size: .925rem; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
nav.views { margin: 1.5rem 0 .75rem; display: flex; flex-wrap: wrap; gap: .5rem; }
nav.views + .mails { margin-top: 0; }
nav.views a { flex: none; padding: .3rem .85rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--card); color: inherit; text-decoration: none; }
nav.views a:hover { background: var(--bg); }
nav.views a[aria-current] { border-color: var(--accent); background: light-dark(#e7e7fb, #262648); color: var(--accent); font-weight: 600; }
iframe { display: block; width: 100%; border: 1px solid var(--line); border-radius: .8rem; }
pre.mail { white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 40rem) { nav.views { flex-wrap: nowrap; overflow-x: auto; margin-inline: -1.25rem; padding-inline: 1.25rem; scrollbar-width: none; } .mails a { grid-template-columns: 1fr; } .mails time { grid-row: auto; grid-column: 1; } iframe { height: 70vh; } }
`;
