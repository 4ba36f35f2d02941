/** Comments, quoted names, literals and numbers. A text that was cut may end within one. */
const tokens =
  /--[^\n]*|\/\*.*?(?:\*\/|$)|"(?:[^"]|"")*"|\bE'(?:[^'\\]|\\.|'')*(?:'|$)|'(?:[^']|'')*(?:'|$)|\$([a-z_]\w*)?\$.*?(?:\$\1\$|$)|(?<![\w$])\d+(?:\.\d+)?(?:e[+-]?\d+)?\b/gis;

const maxRead = 10_000;
const maxLength = 2_000;

/** Returns the text of a statement without values: MikroORM writes them into it. Lists of values are shortened. */
export const withoutValues = (sql: string): string =>
  sql
    .slice(0, maxRead)
    .replace(tokens, (token) => (token.startsWith('"') ? token : /^(--|\/\*)/.test(token) ? ' ' : '?'))
    .replace(/\?(?:\s*,\s*\?)+/g, '?, …')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength);

/** Returns the command and the first table of a statement without values, such as `INSERT apps`. */
export function summaryOf(sql: string): string {
  const [command = 'SQL'] = /^\w+/.exec(sql) ?? [];
  const [, table] = /\b(?:from|into|update|join)\s+(?:only\s+)?"?(\w+(?:"?\."?\w+)?)/i.exec(sql) ?? [];
  return [command.toUpperCase(), ...(table ? [table.replaceAll('"', '')] : [])].join(' ');
}
