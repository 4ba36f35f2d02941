import type { Service } from '../support/service.js';

/** Low rate limits, for clients behind one proxy. */
export const lowLimits = {
  TRUST_PROXY: '1',
  RATE_LIMITS:
    'public=3,install=2,address=300,read=3,write=20,credentials=3,messages=4,failures=25,graphql=30000',
};

let lastAddress = 0;
/** Returns an address that no other test uses, so that its rate limits are untouched. */
export const newAddress = () => {
  lastAddress += 1;
  return `198.51.100.${lastAddress}`;
};

export interface SendOptions {
  bearer?: string | null;
  body?: unknown;
}

/** Sends a request from a client's address. */
export const sendFrom = (
  { client }: Service,
  address: string,
  method: string,
  path: string,
  { bearer = null, body }: SendOptions = {},
): Promise<Response> =>
  client.request(method, path, { bearer, body, headers: { 'x-forwarded-for': address } });

/** Sends a request several times, one after the other, and returns the statuses. */
export async function statusesOf(times: number, send: () => Promise<Response>): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) statuses.push((await send()).status);
  return statuses;
}

export const codeOf = async (response: Response) =>
  ((await response.json()) as { error: { code: string } }).error.code;

/** A token of the account whose signature does not verify. */
export const forgedToken = (token: string) => `${token.slice(0, -6)}AAAAAA`;
