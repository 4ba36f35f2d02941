import { describe, expect, it } from '@jest/globals';
import { nameSkeleton } from '../../src/modules/names/name.rules.js';
import { ReservedNames } from '../../src/modules/names/reserved-name.rules.js';
import { unique } from '../support/actors.js';
import { apis } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { startService } from '../support/service.js';

const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));

/** A name, what it looks like, and how it was dressed up. */
const costumes: [string, string, string][] = [
  ['🅐🅓🅜🅘🅝', 'Admin', 'letters on dark discs'],
  ['🅰🅳🅼🅸🅽', 'Admin', 'letters on dark squares'],
  ['🄰🄳🄼🄸🄽', 'Admin', 'letters on light squares'],
  ['🅰🅳🅼🅸🅽™', 'Admin', 'letters on dark squares as a trade mark'],
  ['🇦🇩🇲🇮🇳', 'Admin', 'letters of flags'],
  ['🇦🇩 🇲🇮 🇳', 'Admin', 'letters of flags with spaces'],
  ['🇦dmin', 'Admin', 'one letter of a flag'],
  ['Ad\u0651min', 'Admin', 'an Arabic mark'],
  ['Ad\u05b0m\u093fin\u0e34', 'Admin', 'marks of Hebrew, Devanagari and Thai'],
  ['Admi\u3099n', 'Admin', 'a Japanese voicing mark'],
  ['Admin \u0bbe', 'Admin', 'a mark on nothing'],
  ['Notes ❷', 'Notes 2', 'a digit on a dark disc'],
  ['Notes ➁', 'Notes 2', 'a digit in a circle of dingbats'],
  ['Notes ➋', 'Notes 2', 'a sans-serif digit on a dark disc'],
  ['Notes ⓶', 'Notes 2', 'a digit in two circles'],
  ['Notes ⓬', 'Notes 12', 'a number on a dark disc'],
  ['Supp⓿rt', 'Support', 'a zero on a dark disc'],
  ['Supp𐍈rt', 'Support', 'a Gothic letter'],
  ['Admꕯn', 'Admin', 'a Vai syllable'],
  ['Supp٠rt', 'Support', 'an Arabic zero'],
  ['Supp°rt', 'Support', 'a degree sign'],
  ['Supp○rt', 'Support', 'a circle'],
  ['Supp🔴rt', 'Support', 'a red disc'],
  ['ɐdmin', 'Admin', 'a turned letter'],
  ['Marketplɐcǝ', 'Marketplace', 'two turned letters'],
  ['Mɑɾƙeŧplaƈe', 'Marketplace', 'phonetic letters'],
  ['Adm¡n', 'Admin', 'an inverted exclamation mark'],
  ['Adm!n', 'Admin', 'an exclamation mark'],
  ['Mark€tplac€s', 'Marketplaces', 'a currency sign'],
  ['₳Đ₥ł₦', 'Admin', 'currency signs alone'],
  ['Ma$$ive', 'Massive', 'two signs in a row'],
  ['ᗩᗪᗰIᑎ', 'Admin', 'Canadian syllabics'],
  ['卂ᗪ爪丨几', 'Admin', 'Chinese characters'],
  ['ค๔๓เภ', 'Admin', 'Thai letters'],
  ['ꍏꀸꂵꀤꈤ', 'Admin', 'Yi syllables'],
  ['ልዕጠጎክ', 'Admin', 'Ethiopic syllables'],
  ['ᎪᎠᎷᎥᏁ', 'Admin', 'Cherokee letters'],
  ['𐌀𐌃𐌌𐌉𐌍', 'Admin', 'Old Italic letters'],
  ['ᴀᴅᴍɪɴ', 'Admin', 'small capitals'],
  ['ДDMIИ', 'Admin', 'Cyrillic letters among Latin ones'],
  ['ΛDMIN', 'Admin', 'a Greek letter beside a Latin one'],
  ['ЛАБОРАТОРИЯ ГОБИ', 'Лаборатория Гоби', 'Cyrillic capitals'],
  ['Time Tracker 🇺🇸', 'Time Tracker', 'a flag'],
  ['🇺🇸 Time Tracker', 'Time Tracker', 'a flag in front'],
];

describe('a name in a costume', () => {
  it.each(costumes)('%s looks like %s: %s (D340)', (name, plain) => {
    expect(nameSkeleton(name)).toBe(nameSkeleton(plain));
  });

  it.each([
    ['C', 'C++'],
    ['C', 'C#'],
    ['C++', 'C#'],
    ['M', 'M++'],
    ['C Notes', 'C# Notes'],
    ['Time Tracker', 'Time Tracker ❷'],
    ['Маг', 'Мая'],
    ['Ад', 'Да'],
    ['คิด', 'คีด'],
    ['山川', '千川'],
    ['¡Hola!', 'Holai'],
  ])('%s does not look like %s (D340)', (one, other) => {
    expect(nameSkeleton(one)).not.toBe(nameSkeleton(other));
  });

  it.each([
    ['C#', 'С♯'],
    ['C++', 'ｃ＋＋'],
    ['Time Tracker', 'Time Tracker+'],
    ['Time Tracker', '#Time Tracker'],
  ])('%s looks like %s, although C++ and C# are different names (D340)', (one, other) => {
    expect(nameSkeleton(other)).toBe(nameSkeleton(one));
  });

  it.each([...'абвгґдеєжзиіїйклмнопрстуфхцчшщъыьэюяјљњћџѓќѝўңқғұүәө'])(
    'the Cyrillic letter %s looks the same in either case (D340)',
    (letter) => {
      expect(nameSkeleton(letter.toUpperCase())).toBe(nameSkeleton(letter));
    },
  );
});

const reserved = [
  ...['Admin 1', 'admin007', 'Marketplace 24', 'Admin ❷', 'Admin 7️⃣', '#1 Admin', '24/7 Support', '4dm!n 24'],
  ...['Marketplace Security', 'Customer Support', 'Support Services', 'Marketplace Help Desk'],
  ...['Help & Support', 'The Administrators of the Marketplace', 'Official Customer Service', '$upport'],
  ...['Администратор', 'АДМИН', 'Служба поддержки', 'Administrador', 'Modérateur', 'Soporte oficial'],
  ...['管理员', '管理員', 'サポート', '관리자', 'الدعم'],
];
const free = [
  ...['Support Tools GmbH', 'Marketplace Analytics Ltd', 'Admin Panel Pro', 'C++ Support', 'Supporters'],
  ...['Customer Service', 'Security Team', 'Help Desk', 'Service Desk 24', '24', 'Officially Yours'],
  ...['Moderato', 'Администрирование Плюс', 'サポーターズ'],
];

describe('a name of the marketplace itself', () => {
  const names = new ReservedNames();

  it.each([...reserved, ...costumes.filter(([, plain]) => plain === 'Admin').map(([name]) => name)])(
    'nobody is called %s (D325)',
    (name) => {
      expect(names.includes(name)).toBe(true);
    },
  );

  it.each(free)('somebody may be called %s (D325)', (name) => {
    expect(names.includes(name)).toBe(false);
  });

  it.each(apis)('is refused over %s in any costume (D325, D340)', async (api) => {
    const eve = await service.aDeveloper({ name: unique('Eve') });
    const bearer = api === 'rest' ? eve.key : eve.token;
    const rename = (name: string) => service.client.call(api, 'updateMe', { name }, bearer);
    for (const name of ['🅰🅳🅼🅸🅽', '🇦🇩🇲🇮🇳', 'Ad\u0651min', 'Adm¡n', 'Admin 1', 'Администратор'])
      expectError(await rename(name), 'VALIDATION_FAILED', ['name: reserved']);
    expectSuccess(await rename(`Admin Panel Pro ${eve.id}`));
  });
});

describe('the name of another developer or app', () => {
  it.each(apis)('is refused over %s in a costume (D325, D340)', async (api) => {
    const name = unique('Lighthouse');
    await service.aDeveloper({ name });
    const eve = await service.aDeveloper({ name: unique('Eve') });
    const bearer = api === 'rest' ? eve.key : eve.token;
    for (const costume of [name.replace('L', '🅻'), name.replace('i', '¡'), name.replace('h', 'h\u0651')])
      expectError(
        await service.client.call(api, 'updateMe', { name: costume }, bearer),
        'VALIDATION_FAILED',
        ['name: looks_like_another'],
      );
  });

  it('needs a reason to be approved in a costume, and C# needs none beside C++ (D326, D340)', async () => {
    const [lou, eve] = [await service.aDeveloper(), await service.aDeveloper()];
    const approve = async (name: string) => {
      const { id, revision } = await service.anApp(eve, 'PENDING', { name });
      return service.callAsAdmin('approveApp', { id, revision });
    };
    const name = unique('Time Tracker');
    for (const original of [name, 'C++']) await service.anApp(lou, 'APPROVED', { name: original });
    expectError(await approve(name.replace('a', '🅰')), 'FINDINGS_OPEN', ['name: duplicate']);
    expectSuccess(await approve('C#'));
    expectError(await approve('С++'), 'FINDINGS_OPEN', ['name: duplicate']);
  });
});
