import { validate as isUuid, NIL } from 'uuid';
import { z } from 'zod';
import {
  codePoints,
  hasStackedMarks,
  hasVisibleCharacter,
  maxMarks,
  problemOfLine,
  problemOfParagraphs,
} from './characters.js';

/** Characters that XML cannot contain: control characters, and code points that are none (U+FFFF and its kind). */
const control = /[\p{Cc}\p{Noncharacter_Code_Point}]/u;
const controlExceptBreaks = /[^\P{Cc}\n\r\t]|\p{Noncharacter_Code_Point}/u;

/** Reports a problem with one of our own codes. */
const reportingTo = (context: z.RefinementCtx) => (code: string, message: string) =>
  context.addIssue({ code: 'custom', params: { code }, message });

/** A raw text may be this many times as long as the normalised text (D100), since trimming and NFC shorten it. */
const rawFactor = 4;

/** A string whose raw length is limited. Checked first, so that the costlier checks only see short strings. */
const measured = (max: number, rawMax = rawFactor * max) =>
  z
    .string()
    .refine((value) => value.length <= rawMax, {
      abort: true,
      params: { code: 'too_long' },
      message: `must have at most ${max} characters${rawMax > max ? ` (it has more than ${rawMax})` : ''}`,
    })
    .refine((value) => !hasStackedMarks(value), {
      abort: true,
      params: { code: 'invalid_characters' },
      message: `must not have more than ${maxMarks} combining marks in a row: remove some`,
    });

interface TextRule {
  min?: number;
  max: number;
  /** Allows line breaks and tabs. */
  multiline?: boolean;
  /** Marks a search term, which is never shown. It may contain invisible characters, because old rows do. */
  soughtOnly?: boolean;
}

/** Number of letters that the characters of a search text may stand for. */
const maxLetters = (max: number) => 2 * max;

/**
 * A text (D23): trimmed, in NFC, without control or hidden characters (D106), its length counted in code points. One
 * without a visible character is rejected if a text is required, and otherwise the same as an empty one.
 */
export const text = ({ min = 1, max, multiline = false, soughtOnly = false }: TextRule) =>
  measured(max)
    .overwrite((value) => {
      const trimmed = value.normalize('NFC').trim();
      return min > 0 || soughtOnly || hasVisibleCharacter(trimmed) ? trimmed : '';
    })
    .superRefine((value, context) => {
      const report = reportingTo(context);
      const length = codePoints(value);
      const isBlank = min > 0 && !hasVisibleCharacter(value);
      if (length < min)
        report('too_short', min === 1 ? 'must not be empty' : `must have at least ${min} characters`);
      else if (isBlank) report('too_short', 'must have at least one visible character');
      if (length > max) report('too_long', `must have at most ${max} characters (it has ${length})`);
      // The search compares letters, and one character can stand for a phrase of eighteen.
      else if (soughtOnly && value.normalize('NFKC').length > maxLetters(max))
        report('too_long', `must stand for at most ${maxLetters(max)} letters: spell out its ligatures`);
      const problem =
        problemOfControls(value, multiline) ??
        (isBlank || soughtOnly ? null : problemOfHidden(value, multiline));
      if (problem) report('invalid_characters', problem);
    })
    .meta({ minLength: min, maxLength: max });

function problemOfControls(value: string, multiline: boolean): string | null {
  if (!(multiline ? controlExceptBreaks : control).test(value) && value.isWellFormed()) return null;
  return multiline
    ? 'must not contain control characters other than line breaks and tabs'
    : 'must not contain control characters or line breaks';
}

const problemOfHidden = (value: string, multiline: boolean) =>
  multiline ? problemOfParagraphs(value) : problemOfLine(value);

const webAddress = (value: string) => {
  if (!URL.canParse(value) || !/^https?:\/\/[^\s/?#\\][^\s\\]*$/i.test(value))
    return 'must be an address that starts with http:// or https://';
  const authority = value.split('/', 3)[2] ?? '';
  return authority.includes('@') ? 'must not contain a user name or password' : null;
};

/** A web address, stored as it was sent. */
export const webUrl = () =>
  measured(2048)
    .superRefine((value, context) => {
      const report = reportingTo(context);
      if (codePoints(value) > 2048) return report('too_long', 'must have at most 2048 characters');
      const problem = webAddress(value) ?? problemOfLine(value);
      if (problem || control.test(value) || !value.isWellFormed())
        report('invalid_url', problem ?? 'must not contain control characters');
    })
    .meta({ format: 'uri', maxLength: 2048 });

/** An e-mail address that SMTP can transport, which is stricter than RFC 5322. */
export const email = () =>
  measured(254)
    .overwrite((value) => value.normalize('NFC').trim())
    .superRefine((value, context) => {
      const report = reportingTo(context);
      if (codePoints(value) > 254) report('too_long', 'must have at most 254 characters');
      // Nothing can be sent to `.invalid` (RFC 2606); the service itself marks lost addresses with it (D342).
      else if (!z.email().safeParse(value).success || /\.invalid$/i.test(value))
        report('invalid_email', 'must be an e-mail address such as ada@example.com');
    })
    .meta({ format: 'email', maxLength: 254 });

/** A string of a fixed format with at most `max` characters. */
export const formatted = (max: number, isValid: (value: string) => boolean, code: string, message: string) =>
  z
    .string()
    .refine((value) => value.length <= max && isValid(value), { params: { code }, message })
    .meta({ maxLength: max });

/** A point in time in ISO 8601, with its offset. */
export const time = () =>
  formatted(
    64,
    (value) => z.iso.datetime({ offset: true }).safeParse(value).success,
    'invalid_time',
    'must be a time such as 2026-03-02T09:30:00Z',
  ).meta({ format: 'date-time' });

/** A cursor from an earlier page; an empty string means no cursor. */
export const cursor = (max: number, isValid: (value: string) => boolean) =>
  measured(max, max)
    .refine((value) => value === '' || isValid(value), {
      params: { code: 'invalid_cursor' },
      message: 'must be a cursor of an earlier page',
    })
    .meta({ maxLength: max });

/** An id. A text that is not a UUID becomes the nil UUID, which no row has, so that the response is NOT_FOUND. */
export const id = (what: string) =>
  z
    .string()
    .overwrite((value) => (isUuid(value) ? value.toLowerCase() : NIL))
    .meta({ format: 'uuid', maxLength: 36 })
    .describe(`The id of the ${what}.`);

/** The slug of an app. A text that is not a slug becomes the empty string, which no app has. */
export const slug = () =>
  z
    .string()
    .overwrite((value) => (/^[a-z0-9-]{1,60}$/.test(value) ? value : ''))
    .meta({ maxLength: 60 })
    .describe('Slug of the app, as in its public address, such as `team-calendar`.');

/** An administrator's reason for an action. */
export const reason = () =>
  text({ max: 2000, multiline: true }).describe('The reason. It is recorded, and the developer can read it.');

/** The input of an operation without input. */
export const Nothing = z.object({});
