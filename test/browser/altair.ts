import type { Page } from 'playwright-core';

/** The playground as somebody uses it who reads and clicks. */
export class Altair {
  constructor(private readonly page: Page) {}

  /** The tabs' names, as soon as they are all there. */
  async tabs(): Promise<string[]> {
    await this.page.locator('.window-switcher__item--active').waitFor();
    return (await this.page.locator('.window-switcher__input').allInnerTexts()).map((name) => name.trim());
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

  /** Sends the request, looks for the text in the result, and gives back the answer. */
  async send(shows: string): Promise<{ data: unknown; authorization: string | null }> {
    const answered = this.page.waitForResponse(
      (response) =>
        response.url().endsWith('/graphql') && !response.request().postData()?.includes('IntrospectionQuery'),
    );
    await this.page.getByRole('button', { name: 'Send Request' }).click();
    const response = await answered;
    await this.#scrollTo(shows);
    const { data } = (await response.json()) as { data: unknown };
    return { data, authorization: await response.request().headerValue('authorization') };
  }

  /** The pane draws only the lines that are in sight. */
  async #scrollTo(text: string): Promise<void> {
    const result = this.page.locator('app-query-result .cm-content');
    const found = result.getByText(text).first();
    await result.hover();
    for (let turns = 0; turns < 100 && !(await found.isVisible()); turns++) {
      await this.page.mouse.wheel(0, 200);
      await this.page.waitForTimeout(50);
    }
    await found.waitFor({ timeout: 1000 });
  }
}
