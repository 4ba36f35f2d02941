import { describe, expect, it } from '@jest/globals';
import { operations } from '../../src/contract.js';
import { apis } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { textsOf } from '../support/input-fields.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { sharedService } from '../support/service.js';

/** Texts that look empty. Trimming removes only the first one. */
const blanks = {
  spaces: ' \u00a0\u3000\t',
  'a zero-width space': '\u200b',
  'a word joiner and a soft hyphen': '\u2060\u00ad',
  'a byte order mark': '\ufeff',
  'a direction override': '\u202e',
  'an object placeholder': '\ufffc',
  'a blank of braille': '\u2800',
  'a blank of music': '\u{1d159}',
  'a filler of Hangul': '\u3164',
  'a variation selector': '\ufe0f',
  'tag characters': '\u{e0061}\u{e0062}',
  'a direction mark between spaces': ' \u200f ',
};

/** Texts with a length of their own: those of a format, such as URLs and ids, have none. */
const table = operations.flatMap(([name, operation]) =>
  textsOf(operation.input)
    .filter(({ schema }) => schema.meta()?.minLength !== undefined)
    .map(({ path, schema }) => ({
      schema,
      isRequired: Number(schema.meta()?.minLength) > 0,
      field: path.join('.'),
      name,
    })),
);
/** Texts that are only compared, and may contain anything (D106). */
const isSought = ({ field }: { field: string }) => /(^|\.)(search|prefix)$/.test(field);

describe('a text without a visible character', () => {
  it('is tried in every text of the contract', () => {
    expect(table.filter(({ isRequired }) => isRequired).length).toBeGreaterThan(25);
    expect(table.filter(({ isRequired }) => !isRequired).length).toBeGreaterThan(25);
  });

  it.each(table.filter(({ isRequired }) => isRequired))(
    'is refused as $field of $name, which must not be empty (D23)',
    ({ schema }) => {
      for (const [what, blank] of Object.entries(blanks)) {
        const { error } = schema.safeParse(blank);
        expect([what, error?.issues.map((issue) => issue.code === 'custom' && issue.params?.code)]).toEqual([
          what,
          ['too_short'],
        ]);
      }
    },
  );

  it.each(table.filter((row) => !row.isRequired && !isSought(row)))(
    'is empty as $field of $name (D23)',
    ({ schema }) => {
      for (const [what, blank] of Object.entries(blanks))
        expect([what, schema.safeParse(blank).data]).toEqual([what, '']);
    },
  );
});

describe.each(apis)('over %s', (api) => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper({ bio: 'Here', companyName: 'Engines' }));

  it('a profile gets no name without a visible character, and an empty bio and company (D23)', async () => {
    const update = (input: object) => service.client.call(api, 'updateMe', { ...input }, ada.key);
    expectError(await update({ name: '\u{1d159}' }), 'VALIDATION_FAILED', ['name: too_short']);
    expect(expectSuccess(await update({ bio: '\u200b', companyName: '\u2800' }))).toMatchObject({
      bio: '',
      companyName: '',
    });
  });
});

describe('a reason without a visible character', () => {
  it('is none: nobody is suspended, unverified or edited with it (D16, D23)', async () => {
    const service = await sharedService();
    const { id } = await service.aDeveloper();
    for (const name of ['suspendDeveloper', 'unverifyDeveloper', 'editDeveloper'] as const) {
      const input = { id, reason: '\u200b\ufffc', ...(name === 'editDeveloper' && { bio: 'New' }) };
      const outcome = await service.callAsAdmin(name, input);
      expectError(outcome, 'VALIDATION_FAILED', ['reason: too_short']);
    }
  });
});
