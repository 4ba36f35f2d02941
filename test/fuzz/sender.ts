import { Pool } from 'undici';
import { contract } from '../../src/contract.js';
import type { ApiClient } from '../support/api-client.js';
import { type Attack, type GraphQLAttack, type RestAttack, spoils } from './attacks.js';
import type { Cast } from './cast.js';

/** A response. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** Sends attacks as they are, which a well-behaved client would not. */
export class Sender {
  private readonly pool: Pool;

  constructor(private readonly client: ApiClient) {
    this.pool = new Pool(client.url, { connections: 20 });
  }

  async send(attack: Attack, cast: Cast): Promise<Answer> {
    const { method, path, body, ...accepted } =
      attack.api === 'rest' ? overRest(attack, cast) : this.overGraphQL(attack, cast);
    const bearer = cast.bearer(attack.credential);
    const {
      statusCode,
      headers,
      body: stream,
    } = await this.pool.request({
      method: method as 'GET',
      path,
      headers: {
        ...accepted,
        ...(body !== null && { 'content-type': 'application/json' }),
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...attack.headers,
      },
      body: body === null ? null : spoils[attack.spoil](body),
    });
    const isStream = String(headers['content-type']).startsWith('text/event-stream');
    return { status: statusCode, headers, text: isStream ? await firstEvent(stream) : await stream.text() };
  }

  close(): Promise<void> {
    return this.pool.close();
  }

  private overGraphQL({ operation, input, cut }: GraphQLAttack, cast: Cast) {
    const given = cast.resolve(input) as Record<string, unknown>;
    const { document, variables } = this.client.document(operation, given);
    const query = cut < 0 ? document : document.slice(0, cut) + document.slice(cut + 1);
    const request = { method: 'POST', body: JSON.stringify({ query, variables }) };
    return contract[operation].kind === 'subscription'
      ? // A client that reconnects gets an event at once.
        {
          ...request,
          path: '/graphql/stream',
          accept: 'text/event-stream',
          'last-event-id': 'an earlier one',
        }
      : { ...request, path: '/graphql' };
  }
}

/** The first event of a stream, or all that came before it ended. Leaving the loop disconnects. */
async function firstEvent(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk.toString();
    const data = /^data: (.+)\n\n/m.exec(text)?.[1];
    if (data) return data;
  }
  return text;
}

function overRest({ method, route, inPath, query, body }: RestAttack, cast: Cast) {
  const path = route.replace(
    /\{(\w+)\}/g,
    (
      _,
      name: string, // With nothing there it would be another route.
    ) => encoded(cast.resolve(inPath, name)) || '%20',
  );
  const search = Object.entries(cast.resolve(query) as object).map(
    ([name, value]) => `${encoded(name)}=${encoded(value)}`,
  );
  return {
    method,
    path: search.length > 0 ? `${path}?${search.join('&')}` : path,
    body: body && JSON.stringify(cast.resolve(body)),
  };
}

/** As an address can carry it, headers of 16 KiB in all; of a list or an object, its JSON. A percent sign of one's own is left alone. */
function encoded(value: unknown): string {
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 600);
  return /^%/.test(text) ? text.replaceAll(/[^%\w]/g, '') : encodeURIComponent(text.toWellFormed());
}
