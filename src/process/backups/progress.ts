const INTERVAL_MS = 2_000;

/** Formats a number of bytes for people. */
export const formatBytes = (bytes: number): string =>
  bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

/** Reports the progress of a long task in lines, on stderr. */
export class Progress {
  private title = '';
  private totalRows: number | null = null;
  private rows = 0;
  private bytes = 0;
  private lastLine = '';
  private readonly timer = setInterval(() => this.report(), INTERVAL_MS).unref();

  constructor(private readonly write: (line: string) => void = (line) => void process.stderr.write(line)) {}

  /** Starts a part of the task, with the tables that it will process if they are known. */
  start(title: string, tables?: readonly { rows: number }[]): void {
    this.title = title;
    this.totalRows = tables ? tables.reduce((sum, { rows }) => sum + rows, 0) : null;
    this.rows = 0;
    this.bytes = 0;
    this.report();
  }

  add(rows: number, bytes: number): void {
    this.rows += rows;
    this.bytes += bytes;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private report(): void {
    const total = this.totalRows === null ? '' : ` of ${this.totalRows.toLocaleString('en')}`;
    const bytes = this.bytes > 0 ? `, ${formatBytes(this.bytes)}` : '';
    const details = this.rows > 0 || total ? ` ${this.rows.toLocaleString('en')}${total} rows${bytes}` : '';
    const line = `${this.title}…${details}`;
    if (this.title && line !== this.lastLine) this.write(`${line}\n`);
    this.lastLine = line;
  }
}
