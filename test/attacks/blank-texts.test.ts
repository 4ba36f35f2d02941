import { describe, expect, it } from '@jest/globals';
import { operations } from '../../src/contract.js';
import { textsOf } from '../support/input-fields.js';

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
