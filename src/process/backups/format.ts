import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { StartupError } from '../../errors.js';
import type { Progress } from './progress.js';

/*
 * A backup is a gzip-compressed text: a line of JSON (the manifest), the rows of each table in the order of the manifest
 * and in the text format of COPY, each table ended by the line `\.`, and a line of JSON with the SHA-256 of all before.
 */

/** An identifier as PostgreSQL's quote_ident writes it. Names become part of SQL statements, so nothing else is accepted. */
const identifier = '(?:[a-z_][a-z0-9_]{0,62}|"[A-Za-z_][A-Za-z0-9_]{0,62}")';
const name = z.string().regex(new RegExp(`^${identifier}\\.${identifier}$`));
const column = z.string().regex(new RegExp(`^${identifier}$`));
const unique = <T>(type: z.ZodType<T>, key: (item: T) => string = String) =>
  z.array(type).refine((items) => new Set(items.map(key)).size === items.length);

const Manifest = z.object({
  format: z.literal('marketplace-gateway backup 1'),
  createdAt: z.iso.datetime(),
  /** Version of PostgreSQL, for people. */
  postgres: z.string().max(100),
  migrations: unique(z.string().regex(/^\d{4}-[a-z0-9-]{1,80}$/)),
  /** Version of the tables of the job queue. */
  jobQueue: z.number(),
  /** Ids of the keys that secrets are encrypted with. */
  secretKeys: z.array(z.string().regex(/^[\w-]{1,64}$/)),
  sequences: unique(
    z.object({ name, value: z.string().regex(/^-?\d{1,19}$/), isCalled: z.boolean() }),
    (sequence) => sequence.name,
  ),
  tables: unique(
    z.object({
      /** Schema and table, quoted for SQL. */
      name,
      columns: unique(column),
      rows: z.int().min(0),
      /** Sum of the hashes of all rows, which does not depend on their order. */
      digest: z.string().regex(/^-?\d{1,100}$/),
    }),
    (table) => table.name,
  ),
});
/** The first line of a backup. */
export type Manifest = z.infer<typeof Manifest>;
/** A table in a backup. */
export type TableEntry = Manifest['tables'][number];

/** A backup that was read to its end once. It is restored only if it still has the same checksum. */
export interface VerifiedBackup {
  readonly file: string;
  readonly manifest: Manifest;
  readonly sha256: string;
}

/** The line after the last row of a table, as in the text format of COPY. */
export const END_OF_ROWS = Buffer.from('\\.\n');
const NEWLINE = 0x0a;
/** Far more than the line of a manifest or of a row has: a line is held in memory. */
const MAX_MANIFEST_BYTES = 1024 * 1024;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Message of zlib for data that does not begin like a gzip file. */
const NOT_GZIP = 'incorrect header check';

/** Returns the number of rows in a piece of COPY's text format, in which only ends of rows are line breaks. */
export function countRows(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** Reads a backup from its start to its end. */
export class BackupReader {
  private readonly pieces: AsyncIterator<Buffer>;
  private readonly hash = createHash('sha256');
  /** Begins at the start of a line. */
  private buffer: Buffer = Buffer.alloc(0);

  constructor(private readonly file: string) {
    const compressed = createReadStream(file);
    const text = createGunzip();
    compressed.on('error', (error) => text.destroy(error));
    this.pieces = compressed.pipe(text)[Symbol.asyncIterator]();
  }

  async readManifest(): Promise<Manifest> {
    const manifest = Manifest.safeParse(parseJson(this.take(await this.lineEnd(MAX_MANIFEST_BYTES))));
    if (manifest.success) return manifest.data;
    const [issue] = manifest.error.issues;
    throw this.noBackup(`its manifest has no valid ${issue?.path.join('.') || 'content'}`);
  }

  /** Skips the manifest of a backup that was verified before. If it differs now, `readEnd` fails. */
  async skipManifest(): Promise<void> {
    this.take(await this.lineEnd(MAX_MANIFEST_BYTES));
  }

  /** Yields the rows of the next table, in pieces of whole rows. */
  async *readRows(): AsyncGenerator<Buffer> {
    for (;;) {
      await this.lineEnd();
      if (this.buffer.subarray(0, END_OF_ROWS.length).equals(END_OF_ROWS)) break;
      const beforeEnd = this.buffer.indexOf(`\n${END_OF_ROWS.toString()}`);
      yield this.take((beforeEnd >= 0 ? beforeEnd : this.buffer.lastIndexOf(NEWLINE)) + 1);
    }
    this.take(END_OF_ROWS.length);
  }

  /** Reads the last line, and fails if it does not match what was read before. Returns the checksum. */
  async readEnd(): Promise<string> {
    const sha256 = this.hash.copy().digest('hex');
    const end = parseJson(this.take(await this.lineEnd()));
    const isEnd = typeof end === 'object' && end !== null && 'sha256' in end && end.sha256 === sha256;
    if (!isEnd || this.buffer.length > 0 || !(await this.pieces.next()).done) throw this.damaged();
    return sha256;
  }

  close(): void {
    void this.pieces.return?.();
  }

  /** Returns the end of the first line, after its line break. */
  private async lineEnd(maxBytes = MAX_LINE_BYTES): Promise<number> {
    for (let searched = 0; ; ) {
      const at = this.buffer.indexOf(NEWLINE, searched);
      if ((at >= 0 ? at : this.buffer.length) > maxBytes)
        throw this.noBackup(`it has a line of more than ${maxBytes} bytes`);
      if (at >= 0) return at + 1;
      searched = this.buffer.length;
      const { value, done } = await this.pieces.next().catch((cause: NodeJS.ErrnoException) => {
        // An error of the file, and not of its content.
        if (cause.syscall)
          throw new StartupError(`${this.file} cannot be read (${cause.message}).`, { cause });
        throw cause.message === NOT_GZIP
          ? this.noBackup('it is not compressed by gzip', cause)
          : this.damaged(cause);
      });
      if (done) throw this.damaged();
      this.buffer = Buffer.concat([this.buffer, value]);
    }
  }

  private take(length: number): Buffer {
    const taken = this.buffer.subarray(0, length);
    this.buffer = this.buffer.subarray(length);
    this.hash.update(taken);
    return taken;
  }

  private noBackup(reason: string, cause?: unknown): StartupError {
    return new StartupError(
      `${this.file} is not a backup that this release can read (${reason}): use a file that npm run backup has written.`,
      { cause },
    );
  }

  private damaged(cause?: unknown): StartupError {
    return new StartupError(`${this.file} is damaged or incomplete: use another backup.`, { cause });
  }
}

function parseJson(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return null;
  }
}

/** Reads a whole backup and compares it with its own manifest and checksum. */
export async function verifyBackup(
  file: string,
  progress: Progress,
  signal: AbortSignal,
): Promise<VerifiedBackup> {
  const reader = new BackupReader(file);
  try {
    const manifest = await reader.readManifest();
    progress.start('Verifying the file', manifest.tables);
    for (const { name, rows } of manifest.tables) {
      let found = 0;
      for await (const piece of reader.readRows()) {
        signal.throwIfAborted();
        found += countRows(piece);
        progress.add(countRows(piece), piece.length);
      }
      if (found !== rows)
        throw new StartupError(`${file} is damaged: it has ${found} of ${rows} rows of the table ${name}.`);
    }
    return { file, manifest, sha256: await reader.readEnd() };
  } finally {
    reader.close();
  }
}
