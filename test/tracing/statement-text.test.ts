import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { summaryOf, withoutValues } from '../../src/tracing/statement-text.js';

describe('the text of a statement in a trace (D272)', () => {
  it.each([
    [`select "a0".* from "apps" as "a0" where "a0"."name" = 'It''s' limit 1`, 'SELECT apps'],
    [`insert into "mails" ("id", "at") values ('a', '2026-01-01'), (E'\\\\x00', 1.5e3)`, 'INSERT mails'],
    ['update only pgboss.job set n = 3', 'UPDATE pgboss.job'],
    [`-- don't\n  delete from apps where note = $$it's$$`, 'DELETE apps'],
    ['begin', 'BEGIN'],
    ['', 'SQL'],
  ])('is summed up: %s', (sql, expected) => {
    expect(summaryOf(withoutValues(sql))).toBe(expected);
  });

  it.each([
    [`where "it's" = 'x' and n = -12.5 and t2.a1 = $1`, `where "it's" = ? and n = -? and t2.a1 = $1`],
    [`like '\\' and b = 'secret'`, 'like ? and b = ?'],
    [`a = E'\\' secret' and b = $tag$ $$ 'secret' $tag$ /* 'secret */`, 'a = ? and b = ?'],
    [`in ('a', 'b',\n 'c') and x = 'not closed`, 'in (?, …) and x = ?'],
  ])('has no values: %s', (sql, expected) => {
    expect(withoutValues(sql)).toBe(expected);
  });

  it('has no value that the driver quotes, whatever it contains', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (first, second) => {
        const literals = [first, second].map((value) => pg.escapeLiteral(value.replaceAll('\0', '')));
        const sql = `select 'x' from apps where a = ${literals[0]} and b = ${literals[1]} order by c`;
        expect(withoutValues(sql)).toBe('select ? from apps where a = ? and b = ? order by c');
      }),
    );
  });

  it('is short, and a value that is cut off does not show', () => {
    const text = withoutValues(
      `select ${'"column", '.repeat(900)}from x where a = 'secret${'x'.repeat(10_000)}'`,
    );
    expect(text).toHaveLength(2_000);
    expect(withoutValues(`select '${'s'.repeat(20_000)}'`)).toBe('select ?');
  });
});
