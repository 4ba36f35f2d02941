/**
 * Returns the line of each value in a JSON text, from 1, by its path, such as `screenshots.0.url`; '' is the whole text.
 * The text must be valid JSON: `JSON.parse` has checked it.
 */
export function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]|\n|[^\s"{}[\],:]+/g;
  let line = 1;
  const next = (): string => {
    for (;;) {
      const token = tokens.exec(text)?.[0] ?? '';
      if (token !== '\n') return token;
      line += 1;
    }
  };
  const value = (path: string, first = next()): void => {
    if (!lines.has(path)) lines.set(path, line);
    if (first === '{') members(path);
    else if (first === '[') items(path);
  };
  const below = (path: string, key: string | number) => (path === '' ? `${key}` : `${path}.${key}`);
  const members = (path: string): void => {
    for (let token = next(); token !== '}'; token = next()) {
      if (token === ',') continue;
      const member = below(path, JSON.parse(token) as string);
      // The line of the name, which is where an editor should go.
      lines.set(member, line);
      next();
      value(member);
    }
  };
  const items = (path: string): void => {
    let index = 0;
    for (let token = next(); token !== ']'; token = next()) {
      if (token === ',') continue;
      value(below(path, index), token);
      index += 1;
    }
  };
  value('');
  return lines;
}

/** Returns the line of a field, or of the nearest one around it that the text has. */
export function lineOf(lines: ReadonlyMap<string, number>, field: string): number {
  for (let path = field; path !== ''; path = path.replace(/\.?[^.]*$/, '')) {
    const line = lines.get(path);
    if (line !== undefined) return line;
  }
  return lines.get('') ?? 1;
}

/** Returns the line of a syntax error, as far as the message of `JSON.parse` tells it. */
export function lineOfSyntaxError(text: string, message: string): number {
  const [, position] = /position (\d+)/.exec(message) ?? [];
  if (position === undefined) return text.split('\n').length;
  return text.slice(0, Number(position)).split('\n').length;
}
