import { StartupError } from '../errors.js';

/** One end of the message channel between the primary process and a worker process. */
interface Peer {
  send?(message: object, sent: (error: Error | null) => void): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** Functions that the other side may call, by name. */
type Handlers = Readonly<Record<string, (input: never) => unknown>>;

type Message =
  | { readonly kind: 'call'; readonly id: number; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'error'; readonly id: number; readonly message: string; readonly isExpected: boolean };

/** Calls functions in another process. Inputs and results are sent as JSON. */
export class Channel {
  private readonly calls = new Map<number, PromiseWithResolvers<unknown>>();
  private lastId = 0;
  private isClosed = false;

  constructor(
    private readonly peer: Peer,
    private readonly handlers: Handlers,
  ) {
    peer.on('message', (message) => void this.receive(message as Message));
  }

  /** Calls a function, and rejects if it fails or the other process ends. */
  call<Result>(name: string, input: unknown = null): Promise<Result> {
    const id = ++this.lastId;
    const result = Promise.withResolvers<unknown>();
    if (this.isClosed) result.reject(new Error('The other process has ended'));
    else {
      this.calls.set(id, result);
      this.post({ kind: 'call', id, name, input });
    }
    return result.promise as Promise<Result>;
  }

  /** Call when the other process has ended. */
  close(): void {
    this.isClosed = true;
    for (const { reject } of this.calls.values()) reject(new Error('The other process has ended'));
    this.calls.clear();
  }

  private async receive(message: Message): Promise<void> {
    if (message.kind === 'call') return this.post(await this.run(message));
    const call = this.calls.get(message.id);
    this.calls.delete(message.id);
    if (message.kind === 'result') call?.resolve(message.value);
    else call?.reject(message.isExpected ? new StartupError(message.message) : new Error(message.message));
  }

  private async run({ id, name, input }: Message & { kind: 'call' }): Promise<Message> {
    try {
      const value = await this.handlers[name]?.(input as never);
      return { kind: 'result', id, value: value ?? null };
    } catch (error) {
      const isExpected = error instanceof StartupError;
      return {
        kind: 'error',
        id,
        message: error instanceof Error ? error.message : String(error),
        isExpected,
      };
    }
  }

  /** A message that cannot be sent has no receiver any more; `close` ends the calls. */
  private post(message: Message): void {
    this.peer.send?.(message, () => undefined);
  }
}
