import { spawn } from 'node:child_process';

/** A shell that goes on from one paste to the next, as a reader's does. */
export class Shell {
  readonly #bash = spawn('bash', ['-s'], { stdio: ['pipe', 'pipe', 'inherit'] });

  /** Pastes commands and gives back what they print. */
  paste(commands: string): Promise<string> {
    const end = 'the-paste-has-run';
    const { stdin, stdout } = this.#bash;
    return new Promise((resolve, reject) => {
      let printed = '';
      const read = (piece: Buffer) => {
        printed += piece.toString();
        if (!printed.includes(end)) return;
        stdout.off('data', read);
        resolve(printed.slice(0, printed.indexOf(end)).trim());
      };
      stdout.on('data', read);
      this.#bash.once('error', reject);
      stdin.write(`${commands}\necho; echo ${end}\n`);
    });
  }

  close(): void {
    this.#bash.stdin.end();
  }
}
