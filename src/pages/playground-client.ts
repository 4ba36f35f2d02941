/**
 * Script of the playground page. It starts Altair with the options in the page, and then does what Altair has no option
 * for: Altair opens the last tab, with the variables and the schema closed, so the script opens the first tab and both panes.
 */
export const PLAYGROUND_SCRIPT = `
const options = JSON.parse(document.getElementById('playground-options').textContent);
// Altair needs an absolute URL, and only the browser knows the one that the page was opened with.
const endpointURL = new URL('../graphql', document.baseURI).href;
for (const tab of options.initialWindows) tab.endpointURL = endpointURL;
AltairGraphQL.init({ ...options, endpointURL });
// Altair prevents the default action of every click on a link that reaches it.
document.querySelector('.home').addEventListener('click', (event) => event.stopPropagation());

let started = false;
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
  if (!started && tabs[options.initialWindows.length - 1]?.matches('.window-switcher__item--active')) {
    started = true;
    tabs[0].click();
  } else if (started) {
    once(document.querySelector('.variables-editor-container:not(.show-variables)'), (pane) => {
      if (openTab()?.initialVariables) pane.querySelector('.variables-editor--title').click();
    });
    if (options.introspection) once(document.querySelector('[track-id="reload_docs"]'), (button) => button.click());
  }
}).observe(document.body, { subtree: true, childList: true, attributeFilter: ['class'] });
`;

/**
 * Style sheet of the playground page. It hides Altair's placeholder texts and success messages, and places the home link
 * in the empty part of Altair's bar. On a phone it stacks the panes and hides what is rarely needed.
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
