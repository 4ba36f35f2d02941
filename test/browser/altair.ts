import type { Page } from 'playwright-core';

/** The playground as somebody uses it who reads and clicks. */
export class Altair {
  constructor(private readonly page: Page) {}

  /** Waits until all tabs are there and the first one is open. */
  async ready(): Promise<void> {
    const options = await this.page.locator('#playground-options').textContent();
    const { initialWindows } = JSON.parse(options ?? '') as { initialWindows: unknown[] };
    const tabs = this.page.locator('app-window-switcher-item');
    await tabs.nth(initialWindows.length - 1).waitFor();
    await tabs.first().locator('.window-switcher__item--active').waitFor();
  }

  async open(tab: string): Promise<void> {
    await this.page.locator('.window-switcher__input').getByText(tab, { exact: true }).click();
    await this.page.locator('.window-switcher__item--active', { hasText: tab }).waitFor();
  }

  async fillVariables(variables: object): Promise<void> {
    await this.page.locator('app-variables-editor .cm-content').click();
    await this.page.keyboard.press('ControlOrMeta+A');
    // At once, like a paste: the editor closes brackets for those who type.
    await this.page.keyboard.insertText(JSON.stringify(variables, null, 2));
  }

  /** Sends the request, looks for the text in the result, and gives back what is to be read around it. */
  async send(shows: string): Promise<{ result: string; authorization: string | undefined }> {
    const sent = this.page.waitForRequest(
      (request) => request.url().endsWith('/graphql') && !request.postData()?.includes('IntrospectionQuery'),
    );
    await this.page.getByRole('button', { name: 'Send Request' }).click();
    const { authorization } = (await sent).headers();
    return { result: await this.#read(shows), authorization };
  }

  /** The pane holds only the lines near those in sight. */
  async #read(text: string): Promise<string> {
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
