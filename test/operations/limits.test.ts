import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { operations } from '../../src/contract.js';
import { fieldsOf } from '../support/input-fields.js';

/** The least and the greatest number of characters of each text; some may have several lines (D16, D23). */
const texts: Record<string, [least: number, greatest: number, lines?: 'lines']> = {
  accountUserId: [1, 128],
  actor: [1, 200],
  authorName: [0, 100],
  bio: [0, 2000, 'lines'],
  companyName: [0, 120],
  description: [1, 500, 'lines'],
  'createAdminWebhook.description': [0, 200],
  'createWebhookEndpoint.description': [0, 200],
  'updateAdminWebhook.description': [0, 200],
  'updateWebhookEndpoint.description': [0, 200],
  environment: [1, 255],
  guidance: [1, 2000, 'lines'],
  installationId: [1, 200],
  issuer: [1, 300],
  kind: [1, 100],
  longDescription: [0, 20_000, 'lines'],
  name: [1, 100],
  note: [0, 2000, 'lines'],
  oauthClientId: [0, 200],
  prefix: [0, 100],
  reason: [1, 2000, 'lines'],
  'approveApp.reason': [0, 2000, 'lines'],
  'approveAppVersion.reason': [0, 2000, 'lines'],
  'reasons.0.field': [0, 100],
  'reasons.0.message': [1, 2000, 'lines'],
  releaseNotes: [0, 5000, 'lines'],
  repositoryId: [1, 100],
  requestId: [1, 200],
  reviewer: [1, 200],
  'screenshots.0.caption': [0, 200],
  search: [0, 100],
  text: [0, 2000, 'lines'],
  'messageDeveloper.text': [1, 4000, 'lines'],
  'messageReviewers.text': [1, 4000, 'lines'],
  title: [0, 120],
  version: [0, 50],
  versionNumber: [0, 40],
  workflow: [1, 200],
};

/** The least and the greatest value of each number, and length of each list; a capped or variable one has none. */
const ranges: Record<string, [least: number, greatest: number | null]> = {
  acknowledge: [0, 33],
  days: [1, 366],
  eventKinds: [0, 100],
  events: [0, 100],
  expiresInDays: [1, null],
  first: [1, null],
  graceHours: [0, 168],
  ids: [0, 100],
  limit: [1, null],
  page: [1, 1_000_000],
  rating: [1, 5],
  reason: [0, 49],
  reasons: [1, 50],
  revision: [1, null],
  scopes: [1, 50],
  screenshots: [0, 6],
  'screenshots.0.order': [0, 1000],
};

const fields = operations.flatMap(([name, { input }]) =>
  fieldsOf(input).map(({ path, schema }) => ({ name, field: path.join('.'), schema })),
);
type Row = (typeof fields)[number];
const formats = ({ schema }: Row) => String(schema.meta()?.format ?? '');
/** Texts of a format have limits of their own. */
const isPlain = ({ schema }: Row) => schema instanceof z.ZodString && schema.meta()?.minLength !== undefined;
const isList = ({ schema }: Row) => schema instanceof z.ZodArray;
const isCounted = (row: Row) => row.schema instanceof z.ZodNumber || isList(row);

/** The problems of the value itself, not those of its items. */
const problemsOf = ({ schema }: Row, value: unknown) =>
  (schema.safeParse(value).error?.issues ?? [])
    .filter(({ path }) => path.length === 0)
    .map((issue) => (issue.code === 'custom' ? issue.params?.code : issue.code));

describe('every text', () => {
  it.each(fields.filter(isPlain))('$field of $name has its limits (D16, D23, D30)', (row) => {
    const [least, greatest, lines] = texts[`${row.name}.${row.field}`] ?? texts[row.field] ?? [];
    const longest = '🦊'.repeat(greatest!);
    expect(row.schema.parse(` ${longest} `)).toBe(longest);
    expect(problemsOf(row, `${longest}🦊`)).toEqual(['too_long']);
    expect(problemsOf(row, ' \t ')).toEqual(least ? ['too_short'] : []);
    for (const text of ['a\nb', 'a\r\n\tb'])
      expect(problemsOf(row, text)).toEqual(lines ? [] : ['invalid_characters']);
    for (const text of ['a\0b', 'a\u0007b', 'a\u000bb', 'a\u007fb', 'a\u0085b', 'a\ud83e', '\udd8ab'])
      expect([text, problemsOf(row, text)]).toEqual([text, ['invalid_characters']]);
  });

  it.each(fields.filter((row) => ['uri', 'email'].includes(formats(row))))(
    '$field of $name is an address with a greatest length (D23)',
    (row) => {
      const [longest, greatest] =
        formats(row) === 'uri'
          ? ['https://engines.example/'.padEnd(2048, 'x'), 2048]
          : [`a@${'long.'.repeat(50)}xy`, 254];
      expect(longest).toHaveLength(greatest);
      if (formats(row) === 'uri') expect(row.schema.parse(longest)).toBe(longest);
      expect(problemsOf(row, `${longest}x`)).toEqual(['too_long']);
    },
  );
});

describe('every number and list', () => {
  it.each(fields.filter(isCounted))('$field of $name has its limits (D12, D22, D27, D31)', (row) => {
    const [least, greatest] = ranges[row.field] ?? [];
    const of = (count: number) => (isList(row) ? Array(Math.max(count, 0)) : count);
    expect(problemsOf(row, of(least!))).toEqual([]);
    expect(problemsOf(row, of(greatest ?? 2 ** 31 - 1))).toEqual([]);
    if (!isList(row) || least! > 0) expect(problemsOf(row, of(least! - 1))).toHaveLength(1);
    if (greatest) expect(problemsOf(row, of(greatest + 1))).toHaveLength(1);
  });
});
