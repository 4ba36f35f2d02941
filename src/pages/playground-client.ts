/**
 * Script of the playground page. It starts Altair with the options in the page, and then does what Altair has no option
 * for. Altair opens the last tab, with the variables and the schema closed, so the script opens the first tab and both
 * panes. It lists the operations by their groups, because a row of tabs cannot be searched.
 */
export const PLAYGROUND_SCRIPT = `
import { openAccount } from './account.js';
import { forgetTabs, hasStoredTabs, openTabOf, rememberOpenTab } from './storage.js';

const options = JSON.parse(document.getElementById('playground-options').textContent);
const tokenOf = await openAccount(options);
// Altair needs an absolute URL, and only the browser knows the one that the page was opened with.
const endpointURL = new URL('../graphql', document.baseURI).href;

// A view is a choice of tabs with a stored state of its own.
const as = new URLSearchParams(location.search).get('as');
const view = Object.hasOwn(options.views, as) ? as : 'all';
const roles = options.views[view];
const presets = options.presets
  .filter(({ role }) => roles.includes(role))
  .sort((a, b) => roles.indexOf(a.role) - roles.indexOf(b.role));
const subscriptionsEndpoint = endpointURL + '/stream';
const { initialSubscriptionRequestHandlerId } = options.altair;
const initialWindows = presets.map(({ tab }) => ({ ...tab, endpointURL, subscriptionsEndpoint, initialSubscriptionRequestHandlerId }));

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
      const preset = initialWindows.find((tab) => tab.initialName === open);
      if (preset?.initialVariables) pane.querySelector('.variables-editor--title').click();
    });
    if (options.introspection) once(document.querySelector('[track-id="reload_docs"]'), (button) => button.click());
  }
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ['class'] });

const nav = document.querySelector('.marketplace');
// Altair prevents the default action of every click on a link that reaches it.
nav.addEventListener('click', (event) => event.stopPropagation());
nav.querySelector('.reset').addEventListener('click', async () => {
  await forgetTabs();
  location.reload();
});
const menu = nav.querySelector('.operations');
for (const [group, members] of Map.groupBy(presets, ({ group }) => group)) {
  const heading = document.createElement('h2');
  heading.textContent = group;
  const buttons = members.map(({ tab: { initialName } }) => {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', textContent: initialName });
    button.addEventListener('click', () => {
      menu.open = false;
      const item = tabItems().find((item) => titleOf(item) === initialName);
      if (item) item.click();
      else alert('This tab was closed or renamed. "Reset" restores all tabs.');
    });
    return button;
  });
  const section = document.createElement('section');
  section.append(heading, ...buttons);
  menu.querySelector('div').append(section);
}
`;

/**
 * Style sheet of the playground page. It hides Altair's placeholder texts, its success messages and its upload of files,
 * because nothing is uploaded here, and places our own buttons in the empty part of Altair's bar. On a phone it stacks the panes and hides what is rarely needed.
 */
export const PLAYGROUND_CSS = `
:root { color-scheme: light dark; }
body { display: flex; flex-direction: column; height: 100vh; }
.frame { flex: none; }
app-root { flex: 1; min-height: 0; }
app-altair, .app-wrapper { display: block; height: 100%; }
.main-container { height: 100% !important; }
.query-result__none, .toast-success, .variables-files-container { display: none !important; }
.marketplace { position: fixed; left: 5px; bottom: 60px; z-index: 1000; width: 40px; display: flex; flex-direction: column; gap: 4px; font: 11px/1.2 system-ui, sans-serif; }
.marketplace > a, .marketplace > button, .marketplace summary { box-sizing: border-box; width: 40px; padding: 5px 0; border: 0; border-radius: 5px; background: #1f4fd8; color: #fff; font: inherit; text-align: center; text-decoration: none; cursor: pointer; list-style: none; }
.marketplace [hidden] { display: none; }
.marketplace .reset { background: #4b5563; }
.operations > div { position: fixed; inset: 60px 10px auto 55px; max-height: calc(100vh - 152px); overflow: auto; columns: 200px; padding: 16px; border-radius: 8px; background: #fff; color: #1a1a1a; box-shadow: 0 4px 24px rgb(0 0 0 / 40%); font-size: 13px; }
.operations section { break-inside: avoid; margin-bottom: 14px; }
.operations h2 { margin: 0 0 4px; font-size: 12px; text-transform: uppercase; color: #55585f; }
.operations section button { display: block; width: 100%; padding: 4px; border: 0; border-radius: 4px; background: none; color: inherit; font: inherit; text-align: left; cursor: pointer; }
.operations section button:hover, .operations section button:focus-visible { background: #e6ecff; }
.notice { position: fixed; left: 60px; bottom: 20px; z-index: 1000; max-width: 40rem; margin: 0; padding: 10px 14px; border-radius: 6px; background: #7c2d12; color: #fff; font: 13px/1.4 system-ui, sans-serif; cursor: pointer; }
@media (prefers-color-scheme: dark) {
  .operations > div { background: #22252b; color: #eee; }
  .operations h2 { color: #b4b8c0; }
  .operations section button:hover, .operations section button:focus-visible { background: #34415f; }
}
@media (max-width: 40rem) {
  .header__menu-item:first-child, .url-box__method-wrapper, .url-box__input-container, [track-id="export_window"], [track-id="save_to_collection"] { display: none !important; }
  .url-box { justify-content: space-between; }
  .send-request__button { white-space: nowrap; }
  as-split { display: flex !important; flex-direction: column !important; width: 100%; height: 100% !important; }
  as-split-area { flex: 1 1 0 !important; width: 100% !important; min-height: 0; }
  as-split-area.as-hidden, .as-split-gutter { display: none !important; }
}
`;
