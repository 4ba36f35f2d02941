import { exportJWK, generateKeyPair, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';

type Claims = Record<string, unknown>;
type Header = Record<string, unknown>;
export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
export const nowInSeconds = () => Math.floor(Date.now() / 1000);

export type Forge = Awaited<ReturnType<typeof openForge>>;

/** The parts of a good token, and ways to make others from them. */
export async function openForge(token: string, jwk: JWK) {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
  const good = { alg: 'ES256', kid: jwk.kid!, typ: 'at+jwt' };
  const { d: _, ...publicJwk } = jwk;
  const theirs = await generateKeyPair('ES256', { extractable: true });
  const theirJwk = { ...(await exportJWK(theirs.publicKey)), kid: jwk.kid! };
  const signer = await importJWK(jwk, 'ES256');
  const signed = (changes: Claims, headers: Header = {}, key: Parameters<SignJWT['sign']>[0] = signer) =>
    new SignJWT(JSON.parse(JSON.stringify({ ...claims, ...changes })) as JWTPayload)
      .setProtectedHeader({ ...good, ...headers } as never)
      .sign(key);
  /** Signed by our own key, with other claims than the good token. */
  const saying = (list: Claims[], headers: Header = {}) =>
    Promise.all(list.map((one) => signed(one, headers)));
  const byThem = (list: Header[]) => Promise.all(list.map((one) => signed({}, one, theirs.privateKey)));
  const withHeader = (changes: Header, rest = `${payload}.${signature}`) =>
    `${encode({ ...good, ...changes })}.${rest}`;
  return {
    token,
    jwk,
    publicJwk,
    theirJwk,
    header,
    payload,
    signature,
    claims,
    signed,
    saying,
    byThem,
    withHeader,
  };
}
