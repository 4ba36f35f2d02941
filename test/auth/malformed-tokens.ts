import { randomBytes } from 'node:crypto';
import { CompactEncrypt, generateKeyPair } from 'jose';
import { type Forgeries, indexesOf, replaceAt } from './forged-keys.js';

import { encode, type Forge, nowInSeconds } from './token-forge.js';

/** Tokens whose parts are changed, missing or no JSON. */
export async function malformedTokens({
  token,
  header,
  payload,
  signature,
  claims,
  withHeader,
}: Forge): Promise<Forgeries> {
  const now = nowInSeconds();
  const bytes = Buffer.from(signature, 'base64url');
  const sealing = await generateKeyPair('ECDH-ES');
  return {
    'another payload under the signature': [
      ...[{ sub: 'eve' }, { roles: ['marketplace-admin'] }, { exp: now + 10 ** 8 }, { extra: 1 }].map(
        (changes) => `${header}.${encode({ ...claims, ...changes })}.${signature}`,
      ),
      ...indexesOf(payload).map(
        (at) => `${header}.${replaceAt(payload, at, payload[at] === 'A' ? 'B' : 'A')}.${signature}`,
      ),
    ],
    'another header over the signature': [
      ...[{ alg: 'HS256' }, { kid: 'x' }, { typ: 'JWT' }, { extra: 1 }].map((changes) => withHeader(changes)),
      ...indexesOf(header).map(
        (at) => `${replaceAt(header, at, header[at] === 'A' ? 'B' : 'A')}.${payload}.${signature}`,
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
    'with an extension that it calls critical': [
      ...[['exp'], ['x'], [], 'b64', ['b64']].map((crit) => withHeader({ crit, x: 1, exp: 1 })),
      withHeader({ b64: false, crit: ['b64'] }),
    ],
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
