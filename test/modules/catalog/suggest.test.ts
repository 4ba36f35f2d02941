import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Input } from '../../support/api-client.js';
import { duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';
import { aPublicApp } from './public-apps.js';

const logoUrl = 'https://pictures.example/logo.png';
const service = duringTests(startService);
beforeAll(async () => {
  const ada = await service.aDeveloper();
  for (const [name, installs] of [
    ['Calendar', 5],
    ['Calculator', 50],
    ['Café', 1],
    ['Team Calendar', 900],
    ['Zebra', 1000],
  ] as const)
    await aPublicApp(service, ada, { name, description: 'Calls for a calm mind.', logoUrl }, { installs });
  await service.anApp(ada, 'PENDING', { name: 'Calling' });
});

const suggest = (input: Input) =>
  service.client.call<{ name: string; slug: string }[]>('graphql', 'suggest', input);
const names = async (prefix: string, first?: number) => {
  const data = expectSuccess(await suggest({ prefix, ...(first && { first }) }));
  return data.map(({ name }) => name);
};

describe('suggest', () => {
  it('suggests names with the prefix, most installed first, then names with a word that has it (D69)', async () => {
    expect(await names('cal')).toEqual(['Calculator', 'Calendar', 'Team Calendar']);
    expect(await names('CALE')).toEqual(['Calendar', 'Team Calendar']);
    expect(await names('team c')).toEqual(['Team Calendar']);
    expect((await suggest({ prefix: 'ze' })).data).toEqual([
      {
        name: 'Zebra',
        slug: 'zebra',
        logoUrl,
        category: 'PRODUCTIVITY',
      },
    ]);
  });

  it('looks for similar words of each different word, and of no text with very many (D305)', async () => {
    expectError(await suggest({ prefix: '\ufdfa'.repeat(97) }), 'VALIDATION_FAILED', ['prefix: too_long']);
    const nodes = async (text: string) =>
      Number((await service.sql('select numnode(alike_query($1)) as nodes', [text]))[0]!.nodes);
    expect(await nodes('calandar '.repeat(50))).toBe(await nodes('calandar calandar'));
    const words = Array.from({ length: 13 }, (_, n) => `calandar${String.fromCodePoint(97 + n)}`);
    expect(await nodes(words.slice(1).join(' '))).toBeGreaterThan(11);
    expect(await nodes(words.join(' '))).toBe(0);
  });

  it('ignores accents and tolerates typos (D69)', async () => {
    expect(await names('cafe')).toContain('Café');
    expect(await names('cafe', 1)).toEqual(['Café']);
    expect((await names('calcluator'))[0]).toBe('Calculator');
    expect((await names('zebar'))[0]).toBe('Zebra');
    expect((await names('calendr'))[0]).toBe('Calendar');
  });

  it('suggests only names of public apps, and nothing for an empty prefix (D29)', async () => {
    expect(await names('calm')).not.toContain('Zebra');
    expect(await names('callin')).not.toContain('Calling');
    expect(await names('  ')).toEqual([]);
    expect(await names('!')).toEqual([]);
  });

  it('suggests as many as requested, a hundred at most (D27)', async () => {
    expect(await names('c', 2)).toEqual(['Calculator', 'Calendar']);
    expect(await names('c', 1000)).toHaveLength(3);
  });
});
