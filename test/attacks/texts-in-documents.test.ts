import { describe, expect, it } from '@jest/globals';
import { markdownHtml } from '../../src/pages/storefront/markdown.html.js';
import { aListing, unique } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { expectError } from '../support/outcomes.js';
import { startService } from '../support/service.js';

const notXml = ['\uffff', '\ufffe', '\ufdd0', '\u{1ffff}'];

describe('a text of a developer', () => {
  const service = duringTests(() => startService({ WEB: 'on' }));
  const ada = beforeTests(() => service.aDeveloper());

  it.each(['name', 'description', 'longDescription', 'versionNumber', 'releaseNotes'])(
    'cannot contain what no XML document can: %s (D106)',
    async (field) => {
      for (const character of notXml) {
        const input = { ...aListing({ name: unique('App') }), [field]: `1.0${character}` };
        const created = await service.call('createApp', input, ada.token);
        expectError(created, 'VALIDATION_FAILED', [`${field}: invalid_characters`]);
      }
    },
  );

  it('that is older than this rule does not break the feed for everybody (D382)', async () => {
    const { id } = await service.anApp(ada, 'APPROVED');
    await service.sql(
      `update apps set description = 'Old ' || U&'\\FFFF' || U&'\\FFFE' || ' text' where id = $1`,
      [id],
    );
    const response = await fetch(`${service.url}/market/new.atom?fresh=1`);
    expect(response.status).toBe(200);
    const xml = await response.text();
    expect(xml).toContain('<summary>Old  text</summary>');
    expect(xml).not.toMatch(/[\ufffe\uffff]/);
  });

  it.each(['&#8238;', '&#x202e;', '&#x2066;', '&#1;', '&#xD800;', '&#0;', '&#x110000;'])(
    'cannot write a hidden character as the reference %s (D112)',
    (reference) => {
      const html = markdownHtml(`Pay ${reference}here`);
      expect(html).not.toMatch(/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u);
      expect(html).toMatch(/Pay \ufffd?here|Pay &amp;#/);
    },
  );

  it('is read as plain text where its Markdown would cost too much, and as Markdown up to there (D382)', () => {
    const paragraph = '*a* [b](https://c.example) `d` '.repeat(15);
    const html = markdownHtml(`**first**\n\n${`${paragraph}\n\n`.repeat(100)}**last**`);
    expect(html).toContain('<strong>first</strong>');
    expect(html).toContain('**last**');
    // A text of the usual kind is not affected.
    const usual = markdownHtml(
      `${'- A *point* with `code` and a [link](https://c.example)\n'.repeat(150)}\n**last**`,
    );
    expect(usual).toContain('<strong>last</strong>');
  });
});
