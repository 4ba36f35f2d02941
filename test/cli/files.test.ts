import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { aListingFile, appsOf, Workspace, workspaceOf } from './tool.js';

describe('the listing file', () => {
  const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));
  const ada = beforeTests(() => service.aDeveloper());
  const folder = duringTests(
    () => workspaceOf(service, ada),
    (folder) => folder.remove(),
  );

  const problemsOf = async (text: string, ...args: string[]) => {
    folder.write(text);
    const run = await folder.run('check', '--offline', '--json', ...args);
    expect(run.code).toBe(1);
    return (JSON.parse(run.stdout).findings as { field: string; line: number; code: string }[]).map(
      ({ field, line, code }) => `${line} ${field}: ${code}`,
    );
  };

  it('has every problem reported at once, with its path and line (D400, D402)', async () => {
    const text = `{
  "name": "",
  "descripton": "Misspelt.",
  "category": "GAMES",
  "environment": "production",
  "logoUrl": "ftp://pictures.example/logo.png",
  "screenshots": [
    { "url": "https://pictures.example/one.png" },
    { "url": 7,
      "caption": null }
  ]
}`;
    expect(await problemsOf(text)).toEqual([
      '1 description: required',
      '2 name: too_short',
      '3 descripton: unknown_field',
      '4 category: invalid_value',
      '6 logoUrl: invalid_url',
      '9 screenshots.1.url: invalid_type',
    ]);
    expect((await folder.run('push')).stdout).toContain('marketplace.json:9');
  });

  it('may be no JSON, no object, or not there (D400)', async () => {
    expect(await problemsOf('{\n  "name": "A",\n}')).toEqual(['3 : malformed_json']);
    expect(await problemsOf('[]')).toEqual(['1 : invalid_type']);
    const run = await folder.run('check', '--file', 'no-such.json');
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('marketplace init') });
  });

  it('takes its texts from files beside it, and from nowhere else (D400)', async () => {
    const with_ = (file: string) => JSON.stringify(aListingFile({ longDescription: { file } }), null, 1);
    expect(await problemsOf(with_('missing.md'))).toEqual(['16 longDescription.file: missing']);
    expect(await problemsOf(with_('../secret.txt'))).toEqual(['16 longDescription.file: not_below']);
    expect(await problemsOf(with_('/etc/passwd'))).toEqual(['16 longDescription.file: not_below']);
  });

  it('may have Windows line ends, a byte order mark, and paths with spaces and Unicode (D400)', async () => {
    const windows = new Workspace(service.url, { MARKETPLACE_KEY: ada.key }, 'Ärger im Büro 日本 ');
    mkdirSync(join(windows.folder, 'meine Texte'));
    const file = 'meine Texte/Übersicht 1.md';
    const listing = aListingFile({ longDescription: { file } });
    windows.write(`\uFEFF${JSON.stringify(listing, null, 2).replaceAll('\n', '\r\n')}\r\n`);
    windows.write('# Titel\r\n\r\nErste Zeile\r\n', file);
    const { app } = await windows.json<{ app: string }>('push');
    const [made] = await appsOf(service, ada);
    expect(made).toMatchObject({ slug: app, longDescription: '# Titel\n\nErste Zeile' });
    expect(windows.read()).toMatch(/^\{\r\n {2}"app": "[\w-]+",\r\n {2}"name"/);
    expect(windows.read().replaceAll('\r\n', '')).not.toContain('\n');
    expect(await windows.json('push')).toMatchObject({ action: 'UNCHANGED' });
    windows.remove();
  });

  it('keeps its own form when the slug is added (D403)', async () => {
    const listing = aListingFile();
    const { name, ...rest } = listing;
    const text = `{\n\t"$schema": "https://x.example/listing.schema.json",\n\t"name": ${JSON.stringify(name)},\n\t"rest": 1}`;
    folder.write(text.replace('"rest": 1', JSON.stringify(rest).slice(1, -1)));
    const before = folder.read();
    const { app } = await folder.json<{ app: string }>('push');
    expect(folder.read()).toBe(before.replace('\t"name"', `\t"app": "${app}",\n\t"name"`));
  });

  it('leaves what it does not have as it is on the server, and clears what is null (D400)', async () => {
    const { slug, id } = await service.anApp(ada, 'DRAFT', {
      websiteUrl: 'https://a.example',
      oauthClientId: 'one',
    });
    const { name, description, category, environment } = await service.must<Record<string, string>>(
      'myApp',
      { id },
      ada.key,
    );
    folder.write({ app: slug, name, description, category, environment, websiteUrl: null });
    expect(await folder.json('push')).toMatchObject({ changes: [{ field: 'websiteUrl' }] });
    expect(await service.must('myApp', { id }, ada.key)).toMatchObject({
      websiteUrl: null,
      oauthClientId: 'one',
    });
  });

  it('carries the number and the notes of a release (D381, D400)', async () => {
    folder.write(aListingFile({ versionNumber: '1.0.0', releaseNotes: { file: 'NOTES.md' } }));
    folder.write('- First release\n', 'NOTES.md');
    const { app } = await folder.json<{ app: string }>('push');
    const query = 'query ($slug: String!) { myAppBySlug(slug: $slug) { versionNumber releaseNotes } }';
    expect(await service.client.queryData(query, { slug: app }, ada.key)).toEqual({
      myAppBySlug: { versionNumber: '1.0.0', releaseNotes: '- First release' },
    });
  });

  it('shows findings as annotations of GitHub Actions and as a report for GitLab (D402)', async () => {
    folder.write(aListingFile({ name: 'A', category: 'GAMES' }));
    const run = await folder.runWith(
      { GITHUB_ACTIONS: 'true' },
      'check',
      '--offline',
      '--code-quality',
      'report.json',
    );
    expect(run.code).toBe(1);
    expect(run.stdout).toContain(
      '::error file=marketplace.json,line=4,title=Listing%3A category::category must be one of',
    );
    expect(JSON.parse(folder.read('report.json'))).toMatchObject([
      {
        check_name: 'marketplace.invalid_value',
        severity: 'major',
        location: { path: 'marketplace.json', lines: { begin: 4 } },
      },
    ]);
  });
});
