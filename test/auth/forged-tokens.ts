import { createPublicKey, randomBytes } from 'node:crypto';
import { generateKeyPair, type JWK } from 'jose';
import { words } from '../support/words.js';
import type { Forgeries } from './forged-keys.js';

import { malformedTokens } from './malformed-tokens.js';
import { type Forge, nowInSeconds, openForge } from './token-forge.js';

/** Account tokens forged from a good one; `jwk` is the key that signs the good ones. */
export async function forgedTokens(token: string, jwk: JWK): Promise<Forgeries> {
  const forge = await openForge(token, jwk);
  return {
    ...(await forgedSignatures(forge)),
    ...(await forgedClaims(forge)),
    ...(await malformedTokens(forge)),
  };
}

const oddTexts = ['', '../../etc/passwd', "' or 1=1", '\u0000', '__proto__'];
const oddTypes = words('logout+jwt secevent+jwt dpop+jwt token-introspection+jwt JOSE JWE id+jwt at+jwt2');

async function forgedSignatures({
  jwk,
  publicJwk,
  theirJwk,
  header,
  payload,
  signature,
  signed,
  byThem,
  withHeader,
}: Forge): Promise<Forgeries> {
  const bytes = Buffer.from(signature, 'base64url');
  const withSignature = (changed: Buffer) => `${header}.${payload}.${changed.toString('base64url')}`;
  const otherAlgorithms = (['RS256', 'PS256', 'EdDSA', 'ES384', 'ES512'] as const).map(async (alg) =>
    signed({}, { alg }, (await generateKeyPair(alg)).privateKey),
  );
  return {
    'alg: none': ['none', 'None', 'NONE', 'nOnE', '', null].flatMap((alg) => [
      withHeader({ alg }, `${payload}.`),
      withHeader({ alg }),
      withHeader({ alg, kid: undefined }, `${payload}.`),
    ]),
    'a shared secret that is the public key': await Promise.all(symmetricSignatures(publicJwk, signed)),
    'signed by somebody else': await byThem([{}, { kid: 'theirs' }, { kid: undefined }, { typ: undefined }]),
    'signed by another kind of key': await Promise.all(otherAlgorithms),
    'with a key of its own': await byThem([
      { jwk: theirJwk },
      { jwk: theirJwk, kid: undefined },
      { x5c: ['MIIB'] },
    ]),
    'that says where its keys are': await byThem([
      { jku: 'http://127.0.0.1:9/jwks' },
      { x5u: 'http://127.0.0.1:9/cert' },
      { jku: 'data:application/json,{}', kid: 'x' },
      { x5t: 'AAAA' },
    ]),
    'with an odd kid': await byThem(
      [...oddTexts, 'x'.repeat(3000), 0, null, [], {}, [jwk.kid]].map((kid) => ({ kid })),
    ),
    'a bit of the signature changed': [...bytes.keys()].flatMap((at) =>
      [1, 0x80].map((bit) => {
        const changed = Buffer.from(bytes);
        changed[at]! ^= bit;
        return withSignature(changed);
      }),
    ),
    'a signature that is none': [
      withSignature(Buffer.alloc(64)),
      withSignature(Buffer.alloc(64, 0xff)),
      withSignature(Buffer.alloc(0)),
      withSignature(bytes.subarray(0, 63)),
      withSignature(Buffer.concat([bytes, Buffer.alloc(1)])),
      ...Array.from({ length: 20 }, () => withSignature(randomBytes(64))),
    ],
  };
}

/** Signatures by a shared secret that anybody knows: the public key in its usual forms. */
function symmetricSignatures(publicJwk: Omit<JWK, 'd'>, signed: Forge['signed']): Promise<string>[] {
  const spki = createPublicKey({ key: publicJwk as never, format: 'jwk' });
  const secrets = [
    spki.export({ type: 'spki', format: 'pem' }),
    spki.export({ type: 'spki', format: 'der' }),
    JSON.stringify(publicJwk),
    JSON.stringify({ keys: [publicJwk] }),
    Buffer.from(String(publicJwk.x), 'base64url'),
    'x'.repeat(64),
  ].map((secret) => Buffer.from(secret as string));
  return (['HS256', 'HS384', 'HS512'] as const).flatMap((alg) =>
    secrets.map((secret) =>
      signed({}, { alg }, Buffer.concat([secret, Buffer.alloc(64)]).subarray(0, Math.max(secret.length, 64))),
    ),
  );
}

/** Tokens that our own key signed, and that must be refused for what they claim. */
async function forgedClaims({ claims, signed, saying }: Forge): Promise<Forgeries> {
  const now = nowInSeconds();
  const issuers = ['', 'http://evil.example', `${claims.iss}/`, `${claims.iss}x`];
  const audiences = ['', 'another', 'marketplace', 'marketplace-gateway2', 'Marketplace-Gateway'];
  return {
    'of another issuer': await saying(
      [...issuers, String(claims.iss).toUpperCase(), [claims.iss], null, 7, {}, undefined].map((iss) => ({
        iss,
      })),
    ),
    'for another audience': await saying(
      [...audiences, [], ['a', 'b'], [['marketplace-gateway']], null, {}, undefined].map((aud) => ({ aud })),
    ),
    'without an end, or past it': await saying(
      [undefined, null, '', `${now + 3600}`, now - 40, now - 10 ** 6, 0, -1, [now + 3600], true].map(
        (exp) => ({ exp }),
      ),
    ),
    'not valid yet': await saying([now + 600, now + 10 ** 6, `${now}`, [now], {}].map((nbf) => ({ nbf }))),
    'made in the future': await saying([now + 600, now + 10 ** 6, `${now}`, [now]].map((iat) => ({ iat }))),
    'of no account': await saying(
      [undefined, null, '', ' ', 'a\u0000b', ' ada', 'x'.repeat(129), 7, ['ada'], { id: 'ada' }, true].map(
        (sub) => ({ sub }),
      ),
    ),
    'of another type': await Promise.all([...oddTypes, '', 7].map((typ) => signed({}, { typ }))),
    'an ID token': await saying(
      [
        ...['nonce', 'at_hash', 'c_hash', 's_hash'].map((name) => ({ [name]: 'x' })),
        { token_use: 'id' },
        { typ: 'ID' },
      ],
      { typ: 'JWT' },
    ),
    'a refresh or logout token': await saying(
      [{ typ: 'Refresh' }, { typ: 'Offline' }, { typ: 'Logout' }, { events: {} }, { token_use: 'refresh' }],
      { typ: undefined },
    ),
    'longer than any token': await saying([{ extra: 'x'.repeat(7000) }, { extra: 'x'.repeat(9000) }]),
  };
}
