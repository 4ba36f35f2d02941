import { createHash, createPublicKey, randomBytes } from 'node:crypto';
import {
  CompactEncrypt,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import { newApiKeyToken } from '../../src/auth/api-key-token.js';

/** A kind of forgery, and the forged credentials made from a valid one. */
export type Forgeries = Record<string, string[]>;

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const places = (text: string) => [...text].map((_, index) => index);
const put = (text: string, at: number, letter: string, removed = 1) =>
  text.slice(0, at) + letter + text.slice(at + removed);
const flipped = (letter: string) =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();

/** Forgeries of a valid API key. */
export function forgedKeys(key: string, maskedKey: string): Forgeries {
  const other = newApiKeyToken();
  const hash = createHash('sha256').update(key).digest();
  const nextLetter = (letter: string, step: number) =>
    base62[(Math.max(base62.indexOf(letter), 0) + step) % 62] ?? '0';
  return {
    'a letter changed': places(key).flatMap((at) =>
      [1, 7, 31].map((step) => put(key, at, nextLetter(key[at]!, step))),
    ),
    'a letter in the other case': places(key).map((at) => put(key, at, flipped(key[at]!))),
    'a letter left out': places(key).map((at) => put(key, at, '')),
    'a letter more': places(key).map((at) => put(key, at, '0', 0)),
    'a letter doubled': places(key).map((at) => put(key, at, key[at]!, 0)),
    'two neighbours changed over': places(key).map((at) => put(key, at, `${key[at + 1] ?? ''}${key[at]}`, 2)),
    'a letter that no key has': ['-', '_', '.', '~', '+', '/', '=', '%', '*', '!', "'"].flatMap((letter) =>
      [4, 20, 41].map((at) => put(key, at, letter)),
    ),
    'cut short': places(key)
      .slice(4)
      .map((end) => key.slice(0, end)),
    'two keys in one': [key + key, key + other, `${key},${other}`, `${key};${key}`, `${other}.${key}`],
    'the checksum of another': [key.slice(0, 36) + other.slice(36), other.slice(0, 36) + key.slice(36)],
    'no checksum, or an empty one': [`${key.slice(0, 36)}000000`, key.slice(0, 36)],
    'well formed, and nobody’s': Array.from({ length: 100 }, () => newApiKeyToken()),
    'another prefix': ['MKT_', 'mkt-', 'sk_', 'mktt_', 'mkt__', ''].map((prefix) => prefix + key.slice(4)),
    'what the database knows of it': [
      maskedKey.replace('…', '...'),
      maskedKey.replace('…', ''),
      `mkt_${hash.toString('hex')}`,
      `mkt_${hash.toString('base64url').slice(0, 38)}`,
      hash.toString('hex'),
    ],
    'an injection': [
      `${key}' or '1'='1`,
      `' or ''='`,
      `${key}--`,
      `${key}%00`,
      '*',
      'mkt_%',
      '$1',
      '{"$ne":null}',
    ],
    'quoted or encoded': [`"${key}"`, `'${key}'`, encodeURIComponent(`${key} `), btoa(key), `<${key}>`],
  };
}

type Claims = Record<string, unknown>;
type Header = Record<string, unknown>;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Forgeries of a valid account token; `jwk` is the key that signs the valid ones. */
export async function forgedTokens(token: string, jwk: JWK): Promise<Forgeries> {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as JWTPayload;
  const good = { alg: 'ES256', kid: jwk.kid!, typ: 'at+jwt' };
  const { d: _, ...publicJwk } = jwk;
  const theirs = await generateKeyPair('ES256', { extractable: true });
  const sealing = await generateKeyPair('ECDH-ES');
  const theirJwk = { ...(await exportJWK(theirs.publicKey)), kid: jwk.kid! };
  const signer = await importJWK(jwk, 'ES256');
  const signed = (changes: Claims, headers: Header = {}, key: Parameters<SignJWT['sign']>[0] = signer) =>
    new SignJWT(JSON.parse(JSON.stringify({ ...claims, ...changes })) as JWTPayload)
      .setProtectedHeader({ ...good, ...headers } as never)
      .sign(key);
  /** Signed with our own key, but with one invalid claim each. */
  const saying = (list: Claims[], headers: Header = {}) =>
    Promise.all(list.map((one) => signed(one, headers)));
  const byThem = (list: Header[]) => Promise.all(list.map((one) => signed({}, one, theirs.privateKey)));
  const now = Math.floor(Date.now() / 1000);
  const spki = createPublicKey({ key: publicJwk as never, format: 'jwk' });
  const secrets = [
    spki.export({ type: 'spki', format: 'pem' }),
    spki.export({ type: 'spki', format: 'der' }),
    JSON.stringify(publicJwk),
    JSON.stringify({ keys: [publicJwk] }),
    Buffer.from(String(publicJwk.x), 'base64url'),
    'x'.repeat(64),
  ].map((secret) => Buffer.from(secret as string));
  const symmetric = (['HS256', 'HS384', 'HS512'] as const).flatMap((alg) =>
    secrets.map((secret) =>
      signed({}, { alg }, Buffer.concat([secret, Buffer.alloc(64)]).subarray(0, Math.max(secret.length, 64))),
    ),
  );
  const others = async () =>
    Promise.all(
      (['RS256', 'PS256', 'EdDSA', 'ES384', 'ES512'] as const).map(async (alg) =>
        signed({}, { alg }, (await generateKeyPair(alg)).privateKey),
      ),
    );
  const bytes = Buffer.from(signature, 'base64url');
  const withSignature = (changed: Buffer) => `${header}.${payload}.${changed.toString('base64url')}`;
  const withHeader = (changes: Header, rest = `${payload}.${signature}`) =>
    `${encode({ ...good, ...changes })}.${rest}`;
  return {
    'alg: none': ['none', 'None', 'NONE', 'nOnE', '', null].flatMap((alg) => [
      withHeader({ alg }, `${payload}.`),
      withHeader({ alg }),
      withHeader({ alg, kid: undefined }, `${payload}.`),
    ]),
    'a shared secret that is the public key': await Promise.all(symmetric),
    'signed by somebody else': await byThem([{}, { kid: 'theirs' }, { kid: undefined }, { typ: undefined }]),
    'signed by another kind of key': await others(),
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
      [
        '',
        '../../etc/passwd',
        "' or 1=1",
        '\u0000',
        '__proto__',
        'x'.repeat(3000),
        0,
        null,
        [],
        {},
        [jwk.kid],
      ].map((kid) => ({ kid })),
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
    'another payload under the signature': [
      ...[{ sub: 'eve' }, { roles: ['marketplace-admin'] }, { exp: now + 10 ** 8 }, { extra: 1 }].map(
        (changes) => `${header}.${encode({ ...claims, ...changes })}.${signature}`,
      ),
      ...places(payload).map(
        (at) => `${header}.${put(payload, at, payload[at] === 'A' ? 'B' : 'A')}.${signature}`,
      ),
    ],
    'another header over the signature': [
      ...[{ alg: 'HS256' }, { kid: 'x' }, { typ: 'JWT' }, { extra: 1 }].map((changes) => withHeader(changes)),
      ...places(header).map(
        (at) => `${put(header, at, header[at] === 'A' ? 'B' : 'A')}.${payload}.${signature}`,
      ),
    ],
    'parts missing, too many or changed over': [
      ...[
        `${header}.${payload}`,
        `${header}.${payload}.`,
        `.${payload}.${signature}`,
        `${header}..${signature}`,
      ],
      ...[
        `${payload}.${header}.${signature}`,
        `${token}.`,
        `.${token}`,
        `${token}.${signature}`,
        '..',
        '....',
      ],
      ...[`${token}.${token}`, header, payload, signature],
    ],
    'written otherwise': [
      ...[`${token}=`, `${token}==`, `${header}=.${payload}.${signature}`, token.replaceAll('.', '..')],
      ...[`${token}A`, `${token}!`, `${token}%3D`, `${token.slice(0, -1)}${token.endsWith('w') ? 'x' : 'w'}`],
      ...[bytes.toString('base64')]
        .filter((text) => text !== signature)
        .map((text) => `${header}.${payload}.${text}`),
    ],
    'of another issuer': await saying(
      [
        '',
        'http://evil.example',
        `${claims.iss}/`,
        `${claims.iss}x`,
        String(claims.iss).toUpperCase(),
        [claims.iss],
        null,
        7,
        {},
      ]
        .map((iss) => ({ iss }))
        .concat([{ iss: undefined as never }]),
    ),
    'for another audience': await saying(
      [
        '',
        'another',
        'marketplace',
        'marketplace-gateway2',
        'Marketplace-Gateway',
        [],
        ['a', 'b'],
        [['marketplace-gateway']],
        null,
        {},
      ]
        .map((aud) => ({ aud }))
        .concat([{ aud: undefined as never }]),
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
    'of another type': (
      await Promise.all(
        [
          'logout+jwt',
          'secevent+jwt',
          'dpop+jwt',
          'token-introspection+jwt',
          'JOSE',
          'JWE',
          'id+jwt',
          '',
          'at+jwt2',
          7,
        ].map((typ) => signed({}, { typ })),
      )
    ).flat(),
    'an ID token': await saying(
      [
        { nonce: 'n' },
        { at_hash: 'h' },
        { c_hash: 'h' },
        { s_hash: 'h' },
        { token_use: 'id' },
        { typ: 'ID' },
      ],
      { typ: 'JWT' },
    ),
    'a refresh or logout token': await saying(
      [{ typ: 'Refresh' }, { typ: 'Offline' }, { typ: 'Logout' }, { events: {} }, { token_use: 'refresh' }],
      { typ: undefined },
    ),
    'with an extension that it calls critical': [
      ...[['exp'], ['x'], [], 'b64', ['b64']].map((crit) => withHeader({ crit, x: 1, exp: 1 })),
      withHeader({ b64: false, crit: ['b64'] }),
    ],
    'longer than any token': await saying([{ extra: 'x'.repeat(7000) }, { extra: 'x'.repeat(9000) }]),
    'with what is no JSON inside': ['', 'x', '[]', '"text"', '7', 'null', '{"sub":"ada"', '{}'].flatMap(
      (text) => {
        const part = Buffer.from(text).toString('base64url');
        return [`${header}.${part}.${signature}`, `${part}.${payload}.${signature}`];
      },
    ),
    'sealed instead of signed': await Promise.all(
      ['dir', 'ECDH-ES'].map((alg) =>
        new CompactEncrypt(Buffer.from(token))
          .setProtectedHeader({ alg, enc: 'A256GCM', cty: 'JWT' })
          .encrypt(alg === 'dir' ? randomBytes(32) : sealing.publicKey),
      ),
    ),
    'no credential at all': [
      'x',
      'null',
      'undefined',
      '{}',
      'eyJ',
      'Bearer',
      'true',
      '0',
      `Bearer ${token}`,
      `${token} ${token}`,
    ],
  };
}
