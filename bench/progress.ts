/** Prints the progress to standard error; on a terminal, a counter is one line that is updated. */
export class Progress {
  private open = false;
  private lastShown = 0;
  private readonly isTerminal = process.stderr.isTTY === true;

  log(line: string): void {
    this.end();
    process.stderr.write(`${line}\n`);
  }

  count(what: string, done: number, all: number): void {
    const now = Date.now();
    const isLast = done >= all;
    if (!isLast && now - this.lastShown < (this.isTerminal ? 200 : 10_000)) return;
    this.lastShown = now;
    const line = `${what}: ${done.toLocaleString('en')} of ${all.toLocaleString('en')}`;
    process.stderr.write(this.isTerminal ? `\r\x1b[2K${line}` : `${line}\n`);
    this.open = this.isTerminal;
    if (isLast) this.end();
  }

  private end(): void {
    if (this.open) process.stderr.write('\n');
    this.open = false;
  }
}
