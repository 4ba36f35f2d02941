/**
 * Script of the playground page. It starts Altair with the options in the page, and then does what Altair has no option
 * for. Altair opens the last tab, with the variables and the schema closed, so the script opens the first tab and both
 * panes. It lists the operations by their groups and opens the tab of one: Altair needs 0.1 s for each tab at the start,
 * and a row of fifty cannot be searched.
 */
export const PLAYGROUND_SCRIPT = `
import { openAccount } from './account.js';
import { forgetTabs, hasStoredTabs, openTabOf, rememberOpenTab } from './storage.js';

const options = JSON.parse(document.getElementById('playground-options').textContent);
const tokenOf = await openAccount(options);
// Altair needs an absolute URL, and only the browser knows the one that the page was opened with.
const endpointURL = new URL('../graphql', document.baseURI).href;

// A view is a choice of documents with a stored state of its own.
const as = new URLSearchParams(location.search).get('as');
const view = Object.hasOwn(options.views, as) ? as : 'all';
const roles = options.views[view];
const presets = options.presets
  .filter(({ role }) => roles.includes(role))
  .sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
const subscriptionsEndpoint = endpointURL + '/stream';
const { initialSubscriptionRequestHandlerId } = options.altair;
const initialWindows = presets
  .filter(({ opensAtFirst }) => opensAtFirst)
  .map(({ tab }) => ({ ...tab, endpointURL, subscriptionsEndpoint, initialSubscriptionRequestHandlerId }));

// Requests of Altair carry the name of an account; its token is added here, so that Altair never has it.
const send = window.fetch;
window.fetch = async (input, init = {}) => {
  const headers = new Headers(init.headers ?? input.headers);
  const name = /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const url = new URL(input.url ?? input, document.baseURI).href;
  const token = name && url.startsWith(endpointURL) ? await tokenOf(name) : undefined;
  if (token === undefined) return send(input, init);
  if (token === null) headers.delete('authorization');
  else headers.set('authorization', 'Bearer ' + token);
  return send(input, { ...init, headers });
};

const instanceStorageNamespace = options.altair.instanceStorageNamespace + view + '_';
const isRestored = await hasStoredTabs(instanceStorageNamespace);
AltairGraphQL.init({ ...options.altair, instanceStorageNamespace, initialWindows, endpointURL, subscriptionsEndpoint });

const titleOf = (item) => item?.innerText.split('\\n')[0].trim();
const tabItems = () => [...document.querySelectorAll('app-window-switcher-item .window-switcher__item')];
const seen = new WeakSet();
const once = (element, act) => {
  if (!element || seen.has(element)) return;
  seen.add(element);
  act(element);
};
const wanted = openTabOf(instanceStorageNamespace) ?? (isRestored ? null : initialWindows[0].initialName);
let started = wanted === null;
new MutationObserver(() => {
  const items = tabItems();
  const open = titleOf(items.find((item) => item.matches('.window-switcher__item--active')));
  if (open === undefined) return;
  if (!started) {
    // Altair opens new tabs one after the other, and the last one stays open.
    if (!isRestored && open !== initialWindows.at(-1).initialName) return;
    started = true;
    items.find((item) => titleOf(item) === wanted)?.click();
  } else {
    rememberOpenTab(instanceStorageNamespace, open);
    once(document.querySelector('.variables-editor-container:not(.show-variables)'), (pane) => {
      const preset = presets.find(({ tab }) => tab.initialName === open);
      if (preset?.tab.initialVariables) pane.querySelector('.variables-editor--title').click();
    });
    if (options.introspection) once(document.querySelector('[track-id="reload_docs"]'), (button) => button.click());
  }
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ['class'] });

// Altair opens a tab for a file that is dropped on it.
const openTab = ({ initialName, initialQuery, initialVariables = '{}', initialHeaders = {} }) => {
  const content = {
    version: 1,
    type: 'window',
    windowName: initialName,
    apiUrl: endpointURL,
    query: initialQuery,
    variables: initialVariables,
    headers: Object.entries(initialHeaders).map(([key, value]) => ({ key, value })),
    subscriptionUrl: subscriptionsEndpoint,
    subscriptionRequestHandlerId: initialSubscriptionRequestHandlerId,
  };
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([JSON.stringify(content)], initialName + '.agq'));
  document.querySelector('.app-wrapper').dispatchEvent(new DragEvent('drop', { dataTransfer }));
};

const header = document.querySelector('.frame');
// Altair prevents the default action of every click on a link that reaches it.
header.addEventListener('click', (event) => event.stopPropagation());
header.querySelector('.reset').addEventListener('click', async () => {
  await forgetTabs();
  location.reload();
});
const menu = header.querySelector('.operations');
addEventListener('keydown', (event) => {
  if (event.key === 'Escape') menu.open = false;
});
for (const [group, members] of Map.groupBy(presets, ({ group }) => group)) {
  const heading = document.createElement('h2');
  heading.textContent = group;
  const buttons = members.map(({ tab }) => {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: tab.initialName });
    button.addEventListener('click', () => {
      menu.open = false;
      const item = tabItems().find((item) => titleOf(item) === tab.initialName);
      if (item) item.click();
      else openTab(tab);
    });
    return button;
  });
  const section = document.createElement('section');
  section.append(heading, ...buttons);
  menu.querySelector('div > div').append(section);
}
const filter = menu.querySelector('input');
menu.addEventListener('toggle', () => {
  if (menu.open) filter.select();
});
const isFound = (button) => !button.hidden;
filter.addEventListener('input', () => {
  const part = filter.value.toLowerCase().replaceAll(' ', '');
  for (const section of menu.querySelectorAll('section')) {
    const buttons = [...section.querySelectorAll('button')];
    for (const button of buttons)
      button.hidden = !button.textContent.toLowerCase().replaceAll(' ', '').includes(part);
    section.hidden = !buttons.some(isFound);
  }
});
filter.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') [...menu.querySelectorAll('section button')].find(isFound)?.click();
});
`;

/**
 * Style sheet of the playground page. It gives Altair our colours, and hides its placeholder texts, its success messages
 * and its upload of files, because nothing is uploaded here. On a phone it stacks the panes and hides what is rarely
 * needed.
 */
export const PLAYGROUND_CSS = `
:root { color-scheme: light dark; }
/* Altair sets its own colours on the root; these are those of the other pages, whatever its theme stores. */
body { display: flex; flex-direction: column; height: 100vh; background: var(--theme-bg-color); --primary-color: #3a36c4; --rgb-primary: 58, 54, 196; --theme-bg-color: #f6f7f9; --rgb-theme-bg: 246, 247, 249; --rgb-theme-off-bg: 255, 255, 255; --theme-border-color: #d7dbe2; --rgb-theme-border: 215, 219, 226; --editor-comment-color: #545b68; --editor-punctuation-color: #545b68; --editor-keyword-color: #3a36c4; --editor-property-color: #16181d; --editor-attribute-color: #136c34; --editor-number-color: #8a4b00; --editor-string-color: #8a4b00; --editor-builtin-color: #8a4b00; --editor-atom-color: #3a36c4; --theme-font-color: #16181d; --theme-off-font-color: #545b68; --font-family: system-ui, sans-serif; }
@media (prefers-color-scheme: dark) {
  body { --primary-color: #6f6bf0; --rgb-primary: 111, 107, 240; --theme-bg-color: #14161a; --rgb-theme-bg: 20, 22, 26; --theme-off-bg-color: #1d2026; --rgb-theme-off-bg: 29, 32, 38; --rgb-theme-border: 54, 59, 69; --editor-comment-color: #a9b0bd; --editor-punctuation-color: #a9b0bd; --editor-keyword-color: #a7a5ff; --editor-property-color: #e9ebef; --editor-attribute-color: #6fd08f; --editor-number-color: #f0b35f; --editor-string-color: #f0b35f; --editor-builtin-color: #f0b35f; --editor-atom-color: #a7a5ff; --header-bg-color: #1d2026; --theme-border-color: #363b45; --theme-font-color: #e9ebef; --theme-off-font-color: #a9b0bd; }
}
.frame { flex: none; }
.url-box { overflow: hidden; border-radius: 8px; }
.window-switcher__item:not(.window-switcher__item--active) { opacity: .8; }
.query-editor__line-widget { color: #fff !important; }
app-root { flex: 1; min-height: 0; }
app-altair, .app-wrapper { display: block; height: 100%; }
.main-container { height: 100% !important; }
.query-result__none, .toast-success, .variables-files-container { display: none !important; }
.tools { display: flex; gap: 6px; align-items: center; margin-left: auto; }
.tools > button, .tools summary { padding: 6px 12px; border: 1px solid light-dark(#d7dbe2, #363b45); border-radius: 8px; background: none; color: light-dark(#16181d, #e9ebef); font: 550 14px/1.4 system-ui, sans-serif; white-space: nowrap; cursor: pointer; list-style: none; }
.tools > button:hover, .tools summary:hover { background: light-dark(#eef0f4, #272b33); }
.tools > button:focus-visible, .tools summary:focus-visible { outline: 3px solid light-dark(#3a36c4, #a7a5ff); outline-offset: 2px; }
.tools [hidden] { display: none; }
.operations > div { position: fixed; z-index: 1000; inset: 64px clamp(12px, 3vw, 32px) auto auto; width: min(1200px, calc(100vw - 24px)); box-sizing: border-box; max-height: calc(100vh - 100px); overflow: auto; padding: 16px; border: 1px solid light-dark(#d7dbe2, #363b45); border-radius: 8px; background: light-dark(#ffffff, #1d2026); color: light-dark(#16181d, #e9ebef); box-shadow: 0 4px 24px rgb(0 0 0 / 25%); font: 14px/1.4 system-ui, sans-serif; }
.operations input:focus-visible { outline: 3px solid light-dark(#3a36c4, #a7a5ff); }
/* The field stays in view while the operations scroll below it. */
.operations input { position: sticky; top: 0; box-sizing: border-box; width: min(100%, 24rem); margin: 0 0 14px; padding: 8px 10px; border: 1px solid light-dark(#8a919e, #6b7280); border-radius: 6px; background: light-dark(#ffffff, #14161a); color: inherit; font: inherit; }
/* The columns are as long as they need to be; the box around them scrolls. */
.operations > div > div { columns: 200px; }
.operations section { break-inside: avoid; margin-bottom: 14px; }
.operations h2 { margin: 0 0 4px; font-size: 12px; text-transform: uppercase; color: light-dark(#545b68, #a9b0bd); }
.operations section button { display: block; width: 100%; padding: 4px; border: 0; border-radius: 4px; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; }
.operations section button:hover, .operations section button:focus-visible { background: light-dark(#e7e7fb, #262648); }
.notice { position: fixed; left: 60px; bottom: 20px; z-index: 1000; max-width: 40rem; margin: 0; padding: 10px 14px; border-radius: 6px; background: #7c2d12; color: #fff; font: 13px/1.4 system-ui, sans-serif; cursor: pointer; }
@media (max-width: 40rem) {
  .operations > div { top: 144px; max-height: calc(100vh - 160px); }
  .operations > div > div { columns: auto; }
  .header__menu-item:first-child, .url-box__method-wrapper, .url-box__input-container, [track-id="export_window"], [track-id="save_to_collection"] { display: none !important; }
  .url-box { justify-content: space-between; }
  .send-request__button { white-space: nowrap; }
  as-split { display: flex !important; flex-direction: column !important; width: 100%; height: 100% !important; }
  as-split-area { flex: 1 1 0 !important; width: 100% !important; min-height: 0; }
  as-split-area.as-hidden, .as-split-gutter { display: none !important; }
}
`;
