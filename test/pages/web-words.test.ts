import { describe, expect, it } from '@jest/globals';
import { fieldInWords, inPlainWords, withoutField } from '../../web/client/words.ts';
import { FILLED_IN, type SourceText, sourceTexts } from '../support/source-strings.js';

const root = new URL('../..', import.meta.url).pathname;

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const CODE = /\b[A-Z]{2,}(?:_[A-Z]+)+\b|\b(?:APPROVED|PENDING|REJECTED|SUSPENDED|DRAFT|OTHER)\b/;
const OPERATION = /\b[a-z]+[A-Z][a-z]\w*/;
const DETAILS = /see details/i;
/** Phrases that nobody says, and that pages have had. */
const ODD = /stands? (?:against|below|above|beside)|by themselves|\bproven\b|\brebase/i;

const isForProgrammers = (text: string) => [UUID, CODE, DETAILS].some((pattern) => pattern.test(text));

const shown = ({ file, text }: SourceText) => `${file}: ${text}`;

describe('the words of the pages', () => {
  it('have no id, no code in capitals and no phrase that nobody says (D377)', () => {
    const texts = sourceTexts(root, 'web/**/*.{ts,tsx}').filter(
      // A code without a space is compared with, and not shown. Commands and workflows to copy are for programmers.
      ({ file, text, isElement }) =>
        (isElement || text.includes(' ')) && !file.endsWith('/publish-lines.tsx'),
    );
    expect(texts.length).toBeGreaterThan(500);
    expect(texts.filter(({ text }) => isForProgrammers(text) || ODD.test(text)).map(shown)).toEqual([]);
  });

  it('say every message of the service in plain words (D377)', () => {
    const texts = sourceTexts(root, 'src/**/*.ts', 'ServiceError').filter(({ text }) => text.includes(' '));
    expect(texts.length).toBeGreaterThan(60);
    const said = texts.map((source) => ({
      ...source,
      text: inPlainWords(
        source.text.replaceAll(FILLED_IN, ' 01890a5d-ac96-774b-bcce-b302099a8057 APP_READ submitApp '),
      ),
    }));
    expect(said.filter(({ text }) => isForProgrammers(text) || OPERATION.test(text)).map(shown)).toEqual([]);
  });

  it('name a field by its label (D377)', () => {
    expect(fieldInWords('reasons.0.message')).toBe('Reason 1, text');
    expect(fieldInWords('companyName')).toBe('Company');
    expect(fieldInWords('screenshots.1.url')).toBe('Screenshot 2, address');
    expect(withoutField('reasons.0.message', 'message is required with the code OTHER')).toBe(
      'Is required with the code other',
    );
    expect(withoutField('screenshots', 'screenshots must have at least 2 items')).toBe(
      'Must have at least 2 screenshots',
    );
    expect(
      inPlainWords(
        'This key was already rotated: rotate its replacement (id 01890a5d-ac96-774b-bcce-b302099a8057).',
      ),
    ).toBe('This key was already rotated: rotate its replacement.');
  });
});
