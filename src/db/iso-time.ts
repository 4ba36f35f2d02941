/** Formats a time as REST and GraphQL return it, so that rows need no conversion in JavaScript. */
export const iso = (column: string) =>
  `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
