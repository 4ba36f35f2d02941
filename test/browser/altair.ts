import type { Page } from 'playwright-core';

/** The playground as somebody uses it who reads and clicks. */
export class Altair {
  constructor(private readonly page: Page) {}

  /** Waits until the tabs of the first visit are there and one is open: the first one, at the first visit. */
  async ready({ opens = 'Browse apps', tabs }: { opens?: string; tabs?: number } = {}): Promise<void> {
    await this.page
      .locator('app-window-switcher-item')
      .nth((tabs ?? (await this.#tabsOfView())) - 1)
      .waitFor();
    await this.page.locator('.window-switcher__item--active', { hasText: opens }).waitFor();
  }

  async #tabsOfView(): Promise<number> {
    const data = await this.page.locator('#playground-options').textContent();
    const { presets, views } = JSON.parse(data ?? '') as {
      presets: { role: string; opensAtFirst: boolean }[];
      views: Record<string, string[]>;
    };
    const view = new URL(this.page.url()).searchParams.get('as') ?? 'all';
    return presets.filter(({ role, opensAtFirst }) => opensAtFirst && views[view]?.includes(role)).length;
  }

  /** Opens a tab: one of the row, or by "Find". */
  async open(tab: string): Promise<void> {
    const shown = this.page.locator('.window-switcher__input').getByText(tab, { exact: true });
    if ((await shown.count()) > 0) await shown.click();
    else await this.find(tab);
    await this.page.locator('.window-switcher__item--active', { hasText: tab }).waitFor();
  }

  async find(operation: string): Promise<void> {
    await this.page.getByText('Find an operation').click();
    await this.page.locator('.operations').getByRole('button', { name: operation, exact: true }).click();
  }

  async fillVariables(variables: object): Promise<void> {
    await this.#fill('app-variables-editor', JSON.stringify(variables, null, 2));
  }

  async fillQuery(query: string): Promise<void> {
    await this.#fill('app-query-editor', query);
  }

  async #fill(editor: string, text: string): Promise<void> {
    await this.page.locator(`${editor} .cm-content`).first().click();
    await this.page.keyboard.press('ControlOrMeta+A');
    // At once, like a paste: the editor closes brackets for those who type.
    await this.page.keyboard.insertText(text);
  }

  query(): Promise<string> {
    return this.page.locator('app-query-editor .cm-content').first().innerText();
  }

  /** Waits until Altair has stored this text, which it does a second after a change. */
  async stored(text: string): Promise<void> {
    while (!(await this.storage()).includes(text)) await this.page.waitForTimeout(200);
  }

  /** Everything that the browser stores for this site: databases, both storages and cookies, as one text. */
  async storage(): Promise<string> {
    const stored = await this.page.evaluate(STORAGE);
    return JSON.stringify([stored, await this.page.context().cookies()]);
  }

  /** Sends the request, looks for the text in the result, and gives back what is to be read around it. */
  async send(shows: string): Promise<{ result: string; authorization: string | undefined }> {
    const sent = this.page.waitForRequest(
      (request) => request.url().endsWith('/graphql') && !request.postData()?.includes('IntrospectionQuery'),
    );
    await this.page.getByRole('button', { name: 'Send Request' }).click();
    const { authorization } = (await sent).headers();
    return { result: await this.read(shows), authorization };
  }

  /** Sends a subscription, and waits until the service has accepted it. */
  async listen(): Promise<{ authorization: string | undefined }> {
    const answered = this.page.waitForResponse((response) => response.url().endsWith('/graphql/stream'));
    await this.page.getByRole('button', { name: 'Send Request' }).click();
    const response = await answered;
    if (!response.headers()['content-type']?.startsWith('text/event-stream'))
      throw new Error(await response.text());
    return { authorization: response.request().headers().authorization };
  }

  /** Looks for the text in the result, of which the pane holds only the lines near those in sight. */
  async read(text: string): Promise<string> {
    const result = this.page.locator('app-query-result .cm-content');
    const found = result.getByText(text).first();
    await result.hover();
    for (let turns = 0; turns < 100 && !(await found.isVisible()); turns++) {
      await this.page.mouse.wheel(0, 200);
      await this.page.waitForTimeout(50);
    }
    // Not by Playwright's own scrolling, which waits for lines to stand still that the pane redraws.
    await found.evaluate((line) => line.scrollIntoView({ block: 'center' }));
    return result.innerText();
  }
}

/** Runs in the page, as text: its types are those of a browser. */
const STORAGE = `(async () => {
  const settled = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const tables = [];
  for (const { name } of await indexedDB.databases()) {
    const database = await settled(indexedDB.open(name));
    for (const store of database.objectStoreNames)
      tables.push(await settled(database.transaction(store).objectStore(store).getAll()));
    database.close();
  }
  return JSON.stringify([tables, { ...localStorage }, { ...sessionStorage }]);
})()`;
