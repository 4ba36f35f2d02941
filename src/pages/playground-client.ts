/**
 * What the playground's page runs: it starts Altair with the options in the page, then makes good what Altair has no
 * option for. Its tabs all appear at once and the last one is open, with neither its variables nor the schema shown.
 */
export const PLAYGROUND_SCRIPT = `
const options = JSON.parse(document.getElementById('playground-options').textContent);
// Altair wants a whole URL, and only the browser knows by which one the page was reached.
const endpointURL = new URL('../graphql', document.baseURI).href;
for (const tab of options.initialWindows) tab.endpointURL = endpointURL;
AltairGraphQL.init({ ...options, endpointURL });
// Altair keeps every link that it hears of from leading away.
document.querySelector('.home').addEventListener('click', (event) => event.stopPropagation());

let begun = false;
const seen = new WeakSet();
const once = (element, act) => {
  if (!element || seen.has(element)) return;
  seen.add(element);
  act(element);
};
const openTab = () => {
  const title = document.querySelector('.window-switcher__item--active')?.innerText.split('\\n')[0].trim();
  return options.initialWindows.find((tab) => tab.initialName === title);
};
new MutationObserver(() => {
  const tabs = document.querySelectorAll('app-window-switcher-item .window-switcher__item');
  if (!begun && tabs[options.initialWindows.length - 1]?.matches('.window-switcher__item--active')) {
    begun = true;
    tabs[0].click();
  } else if (begun) {
    once(document.querySelector('.variables-editor-container:not(.show-variables)'), (pane) => {
      if (openTab()?.initialVariables) pane.querySelector('.variables-editor--title').click();
    });
    if (options.introspection) once(document.querySelector('[track-id="reload_docs"]'), (button) => button.click());
  }
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ['class'] });
`;

/**
 * Away go Altair's idle jokes and the news that a tab's schema has been read; the way home stands where Altair's bar is empty. Altair is made for wide screens: on a
 * phone the panes go below each other, and what is rarely needed goes away.
 */
export const PLAYGROUND_CSS = `
.query-result__none, .toast-success { display: none !important; }
.home { position: fixed; left: 5px; bottom: 60px; z-index: 1000; width: 40px; padding: 5px 0; border-radius: 5px; background: #1f4fd8; color: #fff; font: 11px/1.2 system-ui, sans-serif; text-align: center; text-decoration: none; }
@media (max-width: 40rem) {
  .header__menu-item:first-child, .url-box__method-wrapper, .url-box__input-container, [track-id="export_window"], [track-id="save_to_collection"] { display: none !important; }
  .url-box { justify-content: space-between; }
  .send-request__button { white-space: nowrap; }
  as-split { display: flex !important; flex-direction: column !important; width: 100%; height: 100% !important; }
  as-split-area { flex: 1 1 0 !important; width: 100% !important; min-height: 0; }
  as-split-area.as-hidden, .as-split-gutter { display: none !important; }
}
`;
