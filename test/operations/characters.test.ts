import { describe, expect, it } from '@jest/globals';
import { type AppJson, aListing, twoScreenshots, unique } from '../support/actors.js';
import { apis, type Input } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { sharedService } from '../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const bidirectional: [string, string][] = [
  ['an override', 'invoice\u202egpj.exe'],
  ['an embedding', 'a\u202ab'],
  ['the end of an embedding', 'a\u202cb'],
  ['an isolate', 'a\u2068b\u2069'],
  ['a left-to-right mark', 'a\u200eb'],
  ['a right-to-left mark', 'a\u200fb'],
  ['an Arabic letter mark', 'a\u061cb'],
];
const invisible: [string, string][] = [
  ['a zero-width space', 'Time\u200bTracker'],
  ['a zero-width space at the end', 'Time Tracker\u200b'],
  ['a word joiner', 'a\u2060b'],
  ['a byte order mark', 'a\ufeffb'],
  ['a soft hyphen', 'a\u00adb'],
  ['a grapheme joiner', 'a\u034fb'],
  ['a joiner between Latin letters', 'a\u200db'],
  ['a non-joiner between Latin letters', 'a\u200cb'],
  ['a joiner at the end', 'می\u200d'],
  ['two joiners', 'می\u200c\u200cخواهم'],
  ['a joiner after an emoji', '🦊\u200d'],
  ['a variation selector on a letter', 'a\ufe0f'],
  ['a variation selector on a digit', '1\ufe0f'],
  ['a selector of ideographs on a letter', 'a\u{e0100}'],
  ['tag characters', 'a\u{e0061}\u{e0062}'],
  ['tag characters after an emoji', '🦊\u{e0061}\u{e0062}\u{e0063}\u{e007f}'],
  ['a Hangul filler', 'a\u3164b'],
  ['a Hangul Jamo filler', 'a\u115fb'],
  ['a half-width Hangul filler', 'a\uffa0b'],
  ['a blank braille pattern', 'a\u2800b'],
  ['an interlinear annotation', 'a\ufff9b\ufffac\ufffb'],
  ['an object replacement', 'a\ufffcb'],
  ['an invisible multiplication sign', 'a\u2062b'],
  ['a Mongolian vowel separator', 'a\u180eb'],
  ['a line separator', 'a\u2028b'],
  ['a paragraph separator', 'a\u2029b'],
  ['a musical control', 'a\u{1d173}b'],
];
const accepted: [string, string][] = [
  ['Persian with a non-joiner', 'می\u200cخواهم'],
  ['Hindi with a joiner', 'क्\u200dष'],
  ['Sinhala', 'ශ්\u200dරී ලංකා'],
  ['Bengali', 'র\u200d্যা'],
  ['a family', '👨\u200d👩\u200d👧\u200d👦'],
  ['a rainbow flag', '🏳\ufe0f\u200d🌈'],
  ['a heart', '❤\ufe0f'],
  ['skin tones', '👩🏽\u200d🚀'],
  ['a keycap', '1\ufe0f⃣'],
  ['the flag of Scotland', '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['a variant of an ideograph', '葛\u{e0100}城'],
  ['Mongolian', 'ᠠ\u180bᠨ'],
  ['Hebrew', 'יומן זמן'],
  ['Korean', '시간 추적기'],
  ['Arabic number signs', '\u0600123'],
  ['thirty marks', `x${'\u0315'.repeat(30)}`],
];

describe.each(apis)('a one-line text over %s', (api) => {
  const rename = (name: string) => service.client.call(api, 'updateMe', { name }, ada.key);

  it.each(bidirectional)('rejects %s, and names the character (D106)', async (_, name) => {
    const outcome = await rename(name);
    expectError(outcome, 'VALIDATION_FAILED', ['name: invalid_characters']);
    expect(outcome.details[0]!.message).toMatch(/bidirectional control characters \(found U\+[0-9A-F]{4}\)/);
  });

  it.each(invisible)('rejects %s, and names the character (D106)', async (_, name) => {
    const outcome = await rename(name);
    expectError(outcome, 'VALIDATION_FAILED', ['name: invalid_characters']);
    expect(outcome.details[0]!.message).toMatch(/invisible characters \(found U\+[0-9A-F]{4,6}\): remove/);
  });

  it.each(accepted)('accepts %s unchanged (D106)', async (_, name) => {
    expect(expectSuccess(await rename(name))).toMatchObject({ name: name.normalize('NFC') });
  });

  it('rejects more than thirty marks in a row (D111)', async () => {
    const outcome = await rename(`x${'\u0315'.repeat(31)}`);
    expectError(outcome, 'VALIDATION_FAILED', ['name: invalid_characters']);
  });

  it('is checked in every field (D106)', async () => {
    const bad = 'a\u200bb';
    const call = (name: 'updateMe' | 'createApp' | 'createApiKey' | 'recordInstall', input: Input) =>
      service.client.call(api, name, input, ada.key);
    expectError(
      await call('updateMe', { companyName: bad, email: `${bad}@example.com` }),
      'VALIDATION_FAILED',
      ['companyName: invalid_characters', 'email: invalid_email'],
    );
    expectError(
      await call('createApp', {
        ...aListing({ name: bad, oauthClientId: bad }),
        websiteUrl: `https://example.com/${bad}`,
        screenshots: [{ url: 'https://example.com/\u202egnp.a', caption: bad }],
      }),
      'VALIDATION_FAILED',
      [
        'name: invalid_characters',
        'oauthClientId: invalid_characters',
        'websiteUrl: invalid_url',
        'screenshots.0.caption: invalid_characters',
        'screenshots.0.url: invalid_url',
      ],
    );
    expectError(await call('createApiKey', { name: bad, scopes: ['APP_READ'] }), 'VALIDATION_FAILED', [
      'name: invalid_characters',
    ]);
    expectError(await call('recordInstall', { slug: 'x', installationId: bad }), 'VALIDATION_FAILED', [
      'installationId: invalid_characters',
    ]);
  });

  it('may have such characters in a search (D106)', async () => {
    expectSuccess(await service.client.call(api, 'browseApps', { search: 'Time\u200bTracker' }));
  });
});

describe.each(apis)('a long text over %s', (api) => {
  const setBio = (bio: string) => service.client.call(api, 'updateMe', { bio }, ada.key);

  it.each(['\u202a', '\u202b', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069', '\u202c'])(
    'rejects %j, which reorders the text after it (D112)',
    async (character) => {
      const outcome = await setBio(`a${character}b`);
      expectError(outcome, 'VALIDATION_FAILED', ['bio: invalid_characters']);
      expect(outcome.details[0]!.message).toContain('U+20');
    },
  );

  it('accepts marks, joiners and soft hyphens (D112)', async () => {
    const bio = 'שלום\u200f!\n\u200eabc\u00addef\u200b\u200d';
    expect(expectSuccess(await setBio(bio))).toMatchObject({ bio });
  });
});

describe('a name that was stored before the rule', () => {
  const oldName = (name: string) => `${name}\u200b`;
  const storeOldName = async (id: string) => {
    const name = oldName(unique('Old'));
    await service.sql('update apps set name = $2 where id = $1', [id, name]);
    return name;
  };

  it.each(apis)(
    'can be read, and the app be updated, over %s without sending the name (D106)',
    async (api) => {
      for (const status of ['DRAFT', 'PENDING', 'REJECTED'] as const) {
        const { id } = await service.anApp(ada, status);
        const name = await storeOldName(id);
        expect(
          expectSuccess(
            await service.client.call<AppJson>(api, 'updateApp', { id, description: 'New.' }, ada.key),
          ),
        ).toMatchObject({ name, description: 'New.', status });
        const read = await service.client.call(api, 'myApp', { id }, ada.key);
        expect(read.data).toMatchObject({ name });
      }
    },
  );

  it('does not prevent an administrator or a version from changing other fields (D106)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await storeOldName(app.id);
    await service.sql('update app_versions set name = $2 where id = $1', [version.id, oldName('Old')]);
    const edit = { id: app.id, description: 'New.', reason: 'It must be.' };
    expectSuccess(await service.callAsAdmin('editApp', edit));
    const changes = { id: version.id, description: 'New.' };
    expectSuccess(await service.call('updateAppVersion', changes, ada.key));
  });

  it('must be corrected before the app is submitted (D106)', async () => {
    const { id } = await service.anApp(ada, 'DRAFT', { screenshots: twoScreenshots });
    await storeOldName(id);
    const submit = () => service.client.call('rest', 'submitApp', { id }, ada.key);
    expectError(await submit(), 'VALIDATION_FAILED', ['name: invalid_characters']);
    await service.must('updateApp', { id, name: 'New' }, ada.key);
    expectSuccess(await submit());
  });
});

describe('a URL', () => {
  it.each([
    'https://x.example\\@evil.example/',
    'http:///x',
    'http://@h.example/',
    'https://user@h.example/',
  ])('that parsers read differently is rejected: %s (D23)', async (websiteUrl) => {
    expectError(await service.client.call('rest', 'updateMe', { websiteUrl }, ada.key), 'VALIDATION_FAILED', [
      'websiteUrl: invalid_url',
    ]);
  });
});
