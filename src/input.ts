import { validate as isUuid, NIL } from 'uuid';
import { z } from 'zod';
import type { ErrorDetail } from './errors.js';

const codePoints = (text: string) => [...text].length;
const control = /\p{Cc}/u;
const controlExceptBreaks = /[^\P{Cc}\n\r\t]/u;

/** Anything that leaves a mark. What only joins, separates, hides or fills does not, and a blank in braille neither. */
const visible = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cf}\u2800]/u;

/** How our own rules tell a problem: with the code of its kind. */
const refusing = (context: z.RefinementCtx) => (code: string, message: string) =>
  context.addIssue({ code: 'custom', params: { code }, message });

interface TextRule {
  min?: number;
  max: number;
  /** Line breaks and tabs are welcome: a text of several paragraphs. */
  multiline?: boolean;
}

/** Text as D23 wants it: trimmed, NFC, no control characters, its length counted in code points, something of it to be seen. */
export const text = ({ min = 1, max, multiline = false }: TextRule) =>
  z
    .string()
    .overwrite((value) => value.normalize('NFC').trim())
    .superRefine((value, context) => {
      const refuse = refusing(context);
      const length = codePoints(value);
      if (length < min)
        refuse('too_short', min === 1 ? 'must not be empty' : `must have at least ${min} characters`);
      else if (min > 0 && !visible.test(value))
        refuse('too_short', 'must have at least one visible character');
      if (length > max) refuse('too_long', `must have at most ${max} characters (it has ${length})`);
      if ((multiline ? controlExceptBreaks : control).test(value) || !value.isWellFormed()) {
        refuse(
          'invalid_characters',
          multiline
            ? 'must not contain control characters other than line breaks and tabs'
            : 'must not contain control characters or line breaks',
        );
      }
    })
    .meta({ minLength: min, maxLength: max });

const webAddress = (value: string) => {
  if (!URL.canParse(value) || !/^https?:\/\/[^\s/?#\\][^\s\\]*$/i.test(value))
    return 'must be an address that starts with http:// or https://';
  const authority = value.split('/')[2] ?? '';
  return authority.includes('@') ? 'must not contain a user name or password' : null;
};

/** A web address, kept as it was sent. */
export const webUrl = () =>
  z
    .string()
    .superRefine((value, context) => {
      const refuse = refusing(context);
      if (codePoints(value) > 2048) return refuse('too_long', 'must have at most 2048 characters');
      const problem = webAddress(value);
      if (problem || control.test(value) || !value.isWellFormed())
        refuse('invalid_url', problem ?? 'must not contain control characters');
    })
    .meta({ format: 'uri', maxLength: 2048 });

/** An e-mail address: one that SMTP can carry, which is stricter than RFC 5322 and good enough for people. */
export const email = () =>
  z
    .string()
    .overwrite((value) => value.normalize('NFC').trim())
    .superRefine((value, context) => {
      const refuse = refusing(context);
      if (codePoints(value) > 254) refuse('too_long', 'must have at most 254 characters');
      else if (!z.email().safeParse(value).success)
        refuse('invalid_email', 'must be an e-mail address such as ada@example.com');
    })
    .meta({ format: 'email', maxLength: 254 });

/** An id. What is not a UUID names nothing: it becomes the nil UUID, which no row has, so the answer is NOT_FOUND. */
export const id = (what: string) =>
  z
    .string()
    .overwrite((value) => (isUuid(value) ? value.toLowerCase() : NIL))
    .meta({ format: 'uuid', maxLength: 36 })
    .describe(`The id of the ${what}.`);

/** An app's slug. What cannot be a slug becomes the empty one, which no app has. */
export const slug = () =>
  z
    .string()
    .overwrite((value) => (/^[a-z0-9-]{1,60}$/.test(value) ? value : ''))
    .meta({ maxLength: 60 })
    .describe("The app's slug, as in its public address.");

/** An administrator's reason, as it is recorded and mailed. */
export const reason = () =>
  text({ max: 2000, multiline: true }).describe('Why, in words the developer will read.');

/** Every problem of an input at once, one row each, in words that say what to do. */
export function problemsOf(error: z.ZodError): ErrorDetail[] {
  return error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: [...issue.path, key].join('.'),
        code: 'unknown_field',
        message: `${key} is not a field of this operation. Check its spelling.`,
      }));
    }
    const field = issue.path.join('.');
    return [{ field, ...describe(issue, nameOf(issue.path)) }];
  });
}

/** What a message calls a field: its own name, or for an item of a list, the list's and its place. */
const nameOf = (path: readonly PropertyKey[]) =>
  path.slice(typeof path.at(-1) === 'number' ? -2 : -1).join('.') || 'The body';

function describe(issue: z.core.$ZodIssue, name: string): Omit<ErrorDetail, 'field'> {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input == null) return { code: 'required', message: `${name} is required.` };
      if (Array.isArray(issue.input) && issue.expected !== 'array')
        return {
          code: 'invalid_type',
          message: `${name} must be given once, as ${article(issue.expected)}.`,
        };
      return { code: 'invalid_type', message: `${name} must be ${article(issue.expected)}.` };
    case 'invalid_value':
      if (issue.input == null)
        return { code: 'required', message: `${name} is required: one of ${issue.values.join(', ')}.` };
      return { code: 'invalid_value', message: `${name} must be one of ${issue.values.join(', ')}.` };
    case 'too_small':
      return {
        code: issue.origin === 'array' ? 'too_few' : 'too_small',
        message:
          issue.origin === 'array'
            ? `${name} must have at least ${issue.minimum} item${issue.minimum === 1 ? '' : 's'}.`
            : `${name} must be at least ${issue.minimum}.`,
      };
    case 'too_big':
      return {
        code: issue.origin === 'array' ? 'too_many' : 'too_big',
        message:
          issue.origin === 'array'
            ? `${name} must have at most ${issue.maximum} items.`
            : `${name} must be at most ${issue.maximum}.`,
      };
    case 'custom':
      return { code: String(issue.params?.code ?? 'invalid'), message: `${name} ${issue.message}.` };
    default:
      return { code: 'invalid', message: `${name} is not valid: ${issue.message}.` };
  }
}

const ownWords: Record<string, string> = { int: 'a whole number', array: 'a list', object: 'an object' };
const article = (expected: string) => ownWords[expected] ?? `a ${expected}`;

/** The input of an operation that takes none. */
export const Nothing = z.object({});
