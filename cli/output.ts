const styles = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;
type Style = keyof typeof styles;

/** The values of a column are as wide as its widest one; the last column is not padded. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => widthOf(row[column] ?? ''))),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          column === row.length - 1 ? cell : cell + ' '.repeat(widths[column]! - widthOf(cell)),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one.
const escapes = /\u001b\[\d+m/g;
const widthOf = (text: string) => [...text.replace(escapes, '')].length;

/**
 * Removes what would move the cursor or change colours from a text of the server or of a file: a listing must not be
 * able to rewrite the terminal. Line breaks and tabs stay.
 */
export const printable = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove.
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');

/** How commands begin anywhere in a line: `##[name]` (GitHub Actions), `##vso[name]` (Azure Pipelines), `##teamcity[name]`. */
const commandMark = /##(?=\w*\[)/g;

/** Changes a text so that no line of it is a command of a pipeline, such as `::name::` of GitHub Actions: it may be a stranger's. */
const inert = (text: string): string =>
  text.replace(/^([^\S\n]*):(?=:)/gm, '$1: ').replace(commandMark, '## ');

/** Every API key has this form, also one that was given in the wrong place. */
const keyForm = /mkt_[0-9A-Za-z]{38}/g;

interface OutputStreams {
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

/** Writes everything that the tool says. Secrets that were registered never appear in it. */
export class Output {
  private readonly secrets = new Set<string>();
  private hasProgress = false;

  constructor(
    private readonly streams: OutputStreams,
    readonly isJson: boolean,
    private readonly environment: NodeJS.ProcessEnv,
  ) {}

  /** Registers a value that must never be printed. */
  addSecret(value: string): void {
    if (value.length >= 8) this.secrets.add(value);
  }

  /** True if somebody can watch: only then there is progress. */
  get isInteractive(): boolean {
    return !this.isJson && this.streams.stderr.isTTY === true;
  }

  /** Prints a line of the result. */
  line(text = ''): void {
    if (this.isJson) return;
    this.endProgress();
    this.streams.stdout.write(`${inert(this.redacted(text))}\n`);
  }

  /** Prints a command for GitHub Actions, which runs lines of this form. */
  command(text: string): void {
    if (!this.isJson) this.streams.stdout.write(`${this.redacted(text)}\n`);
  }

  /** Prints a remark, which is not part of the result. */
  note(text: string): void {
    if (this.isJson) return;
    this.endProgress();
    this.streams.stderr.write(`${inert(this.redacted(text))}\n`);
  }

  /** Prints an error for people. */
  problem(text: string): void {
    this.endProgress();
    this.streams.stderr.write(`${inert(this.redacted(text))}\n`);
  }

  /** Prints the result for programs. */
  json(value: unknown): void {
    if (!this.isJson) return;
    const text = JSON.stringify(value, null, 2).replace(commandMark, '#\\u0023');
    this.streams.stdout.write(`${this.redacted(text)}\n`);
  }

  /** Shows one line that the next one replaces; only on a terminal. */
  progress(text: string): void {
    if (!this.isInteractive) return;
    const width = (this.streams.stderr.columns || 80) - 1;
    this.streams.stderr.write(`\r\u001b[2K${[...this.redacted(text)].slice(0, width).join('')}`);
    this.hasProgress = true;
  }

  endProgress(): void {
    if (this.hasProgress) this.streams.stderr.write('\r\u001b[2K');
    this.hasProgress = false;
  }

  /** Colours a text for stdout; only on a terminal. */
  style(style: Style, text: string, stream: keyof OutputStreams = 'stdout'): string {
    if (!this.hasColours(this.streams[stream])) return text;
    return `\u001b[${styles[style]}m${text}\u001b[0m`;
  }

  private hasColours(stream: NodeJS.WriteStream): boolean {
    return stream.isTTY === true && !this.environment.NO_COLOR && this.environment.TERM !== 'dumb';
  }

  private redacted(text: string): string {
    let clean = text.replace(keyForm, '***');
    for (const secret of this.secrets) clean = clean.replaceAll(secret, '***');
    return clean;
  }
}
