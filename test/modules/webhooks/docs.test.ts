import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { mailed, webhooked } from '../../../src/modules/audit/event.types.js';
import { retryDelaysMs } from '../../../src/modules/webhooks/webhook-delivery.service.js';

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);

describe('docs/webhooks.md', () => {
  it('lists every type of event with the facts that it carries, and no other (D37)', () => {
    const rows = [...page.matchAll(/^\| `([a-z.-]+)` \| [A-Z].*\. \| ?(.*)\|$/gm)];
    const documented = rows.map(([, type, facts]) => [type, codes(facts ?? '')]);
    expect(documented).toEqual(Object.entries(webhooked).sort(([a], [b]) => (a < b ? -1 : 1)));
  });

  it('states the real pauses between attempts (D53)', () => {
    const units = [
      [3_600_000, 'h'],
      [60_000, 'min'],
      [1000, 's'],
    ] as const;
    const inWords = (ms: number) => {
      const [size, unit] = units.find(([each]) => ms % each === 0)!;
      return `${ms / size} ${unit}`;
    };
    expect(page).toContain(`after ${retryDelaysMs.map(inWords).join(', ')}:`);
    const hours = retryDelaysMs.reduce((sum, ms) => sum + ms, 0) / 3_600_000;
    expect(hours).toBeGreaterThan(23);
    expect(hours).toBeLessThan(25);
  });
});

describe('the events of webhooks', () => {
  it('are at least those of the mails to developers, but for changes of the endpoints themselves (D37, D128)', () => {
    const mailOnly = /^(review\.message-sent|webhook\.(created|updated|deleted|enabled|secret-rotated))$/;
    const toDevelopers = [...mailed].filter((kind) => !mailOnly.test(kind));
    expect(Object.keys(webhooked)).toEqual(expect.arrayContaining(toDevelopers));
  });
});
