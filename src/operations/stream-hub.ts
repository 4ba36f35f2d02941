import { type Caller, isActingAsAdmin } from '../auth/caller.js';
import { endedCredentials } from '../auth/credential.queries.js';
import type { ChangeFeed } from '../db/change-feed.js';
import { now } from '../db/clock.js';
import { chargedTo } from '../db/payer.js';
import type { Reader } from '../db/reader.js';
import { ServiceError } from '../errors.js';
import { addressGroup } from '../limits/address-group.js';
import { limitSubject } from '../limits/rate-limits.js';
import { type ChangeFilter, EventStream } from './event-stream.js';

const maxPerCaller = 10;
/** Streams without a credential are counted by address, which many people may share. */
const maxPerAddress = 100;
/** The part of all streams that those without a credential can have: addresses cost nothing. */
const anonymousShare = 2 / 3;
const defaultMaxPending = 100;
/** Interval of the check for ended credentials, which have to end their streams within a second (D145). */
const checkIntervalMs = 400;
const retryAfterSeconds = 5;

interface StreamHubOptions {
  feed: ChangeFeed;
  reader: Reader;
  /** The most streams of this process. */
  max: number;
  maxPending?: number | undefined;
}

interface Reading {
  /** The caller or address whose streams are counted together. */
  subject: string;
  caller: Caller | null;
}

/** The open event streams of this process: bounds their number, and ends those whose credential has ended. */
export class StreamHub {
  private readonly streams = new Map<EventStream, Reading | null>();
  private checks: NodeJS.Timeout | null = null;
  private checking: Promise<void> | null = null;
  private isClosing = false;

  constructor(private readonly options: StreamHubOptions) {}

  get size(): number {
    return this.streams.size;
  }

  get figures(): { open: number; max: number } {
    return { open: this.size, max: this.options.max };
  }

  /** Opens a stream, which counts against the bound of the process at once. */
  open(request: { address: string; isResumed: boolean; disconnect(): void }): EventStream {
    const { max, maxPending = defaultMaxPending } = this.options;
    if (this.isClosing || this.size >= max) throw noRoom(max);
    const stream = new EventStream({
      maxPending,
      ...request,
      follow: (opened, caller, matches) => this.follow(opened, reading(caller, request.address), matches),
      onClose: (closed) => this.remove(closed),
    });
    this.streams.set(stream, null);
    this.checks ??= setInterval(() => this.check(), checkIntervalMs).unref();
    return stream;
  }

  /** Ends all streams in an orderly way, and opens no more. */
  async close(): Promise<void> {
    this.isClosing = true;
    for (const stream of this.streams.keys()) stream.close();
    await this.checking;
  }

  private follow(stream: EventStream, reader: Reading, matches: ChangeFilter): () => void {
    const { subject, caller } = reader;
    const max = caller ? maxPerCaller : maxPerAddress;
    const open = [...this.streams.values()].filter((other) => other !== null);
    if (open.filter((other) => other.subject === subject).length >= max) throw tooMany(max, caller);
    const anonymous = open.filter((other) => other.caller === null);
    if (!caller && anonymous.length >= this.options.max * anonymousShare) throw noRoom(this.options.max);
    this.streams.set(stream, reader);
    return this.options.feed.follow((change) => {
      if (change.about === 'anything' || matches(change)) stream.push(change);
    });
  }

  private remove(stream: EventStream): void {
    this.streams.delete(stream);
    if (this.size > 0 || !this.checks) return;
    clearInterval(this.checks);
    this.checks = null;
  }

  private check(): void {
    this.options.feed.keepAlive();
    // While the database is unreachable no event can be sent, and the next check comes soon.
    this.checking ??= chargedTo(null, () => this.checkCredentials())
      .catch(() => undefined)
      .finally(() => {
        this.checking = null;
      });
  }

  /** Makes the streams check their credential again if it has ended, with one query for all of them. */
  private async checkCredentials(): Promise<void> {
    const keyIds = new Set<string>();
    const developerIds = new Set<string>();
    for (const [stream, { caller }] of this.authenticated()) {
      if (caller.expiresAt && caller.expiresAt <= now()) stream.push({ about: 'credential' });
      if (caller.kind === 'key') keyIds.add(caller.keyId);
      else if (caller.developer && !isActingAsAdmin(caller)) developerIds.add(caller.developer.id);
    }
    if (keyIds.size + developerIds.size === 0) return;
    const rows = await this.options.reader.rows<{ id: string }>(
      endedCredentials([...keyIds], [...developerIds]),
    );
    const ended = new Set(rows.map(({ id }) => id));
    if (ended.size === 0) return;
    for (const [stream, { caller }] of this.authenticated())
      if (ended.has(caller.kind === 'key' ? caller.keyId : (caller.developer?.id ?? '')))
        stream.push({ about: 'credential' });
  }

  private authenticated(): [EventStream, { caller: Caller }][] {
    return [...this.streams].flatMap(([stream, open]) =>
      open?.caller ? [[stream, { caller: open.caller }]] : [],
    );
  }
}

const reading = (caller: Caller | null, address: string): Reading => ({
  caller,
  subject: caller ? limitSubject(caller) : `address:${addressGroup(address)}`,
});

const noRoom = (max: number) =>
  new ServiceError(
    'UNAVAILABLE',
    `This server has no room for another event stream: it has at most ${max}, and two thirds of them without a credential. Try again shortly.`,
    [],
    { retryAfterSeconds },
  );

const tooMany = (max: number, caller: Caller | null) =>
  new ServiceError(
    'QUOTA_EXCEEDED',
    `${caller ? 'You have' : 'This address has'} ${max} open event streams, which is the maximum. Close one before you open another.`,
  );
