import { type Client, createClient, type RequestParams, type Sink } from 'graphql-sse';
import { signedOutCodes } from './problems.ts';
import { waitToReconnect } from './service.ts';
import { session } from './session.ts';
import { pathOf, settings } from './settings.ts';
import { Signal } from './signal.ts';

/** Number of times that an event stream was connected: what changed before was not reported by it. */
export const streamConnections = new Signal(0);

export async function authorization(): Promise<Record<string, string>> {
  const token = await session.token();
  return token === null ? {} : { authorization: `Bearer ${token}` };
}

/** The event streams of an account. They reconnect after a failure, and with a new token after the old one has expired. */
export class Streams {
  private readonly client: Client = createClient({
    url: pathOf('/graphql/stream'),
    headers: authorization,
    retryAttempts: Number.POSITIVE_INFINITY,
    retry: waitToReconnect,
    on: {
      connected(isReconnected) {
        // A list of the storefront may be a moment old, and is not read twice when a page opens.
        if (isReconnected || settings.area !== 'market') streamConnections.value += 1;
      },
    },
  });

  /** Follows a subscription until the returned function is called. */
  follow(request: RequestParams, sink: Sink): () => void {
    let isStopped = false;
    let stop = () => {};
    const open = async (formerToken?: string | null) => {
      const token = await session.token();
      // The service does not accept a token that the page holds for valid: the person has to sign in again.
      if (token !== null && token === formerToken) session.expire();
      let isExpired = false;
      if (isStopped) return;
      stop = this.client.subscribe(request, {
        next(result) {
          isExpired = token !== null && (result.errors?.some(isAboutToken) ?? false);
          if (!isExpired) sink.next(result as never);
        },
        error: (error) => sink.error(error),
        complete: () => (isExpired ? void open(token) : sink.complete()),
      });
    };
    void open();
    return () => {
      isStopped = true;
      stop();
    };
  }
}

const isAboutToken = ({ extensions }: { extensions?: unknown }) =>
  signedOutCodes.has(String((extensions as { code?: unknown } | undefined)?.code));
