import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { mailed } from '../../../src/modules/events/event-mail.types.js';
import { adminEvents, webhooked } from '../../../src/modules/events/published-event.types.js';
import { retryDelaysMs } from '../../../src/modules/webhooks/webhook-delivery.service.js';
import { attemptTimeoutMs } from '../../../src/modules/webhooks/webhook-sender.service.js';

const page = readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8');
const sorted = (events: object) => Object.entries(events).sort(([a], [b]) => (a < b ? -1 : 1));
/** The types of events in the table of a section, with their facts. */
const documentedIn = (heading: string) => {
  const [, section = ''] = new RegExp(`^## ${heading}$([\\s\\S]*?)^## `, 'm').exec(page) ?? [];
  const rows = [...section.matchAll(/^\| `([a-z._-]+)` \| [A-Z].*\. \| ?(.*)\|$/gm)];
  return rows.map(([, type, facts]) => [type, codes(facts ?? '')]);
};
const codes = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code);

describe('docs/webhooks.md', () => {
  it('lists every type of event with the facts that it carries, and no other (D37)', () => {
    expect(documentedIn('Events')).toEqual(sorted(webhooked));
  });

  it('lists those of the administration too (D169)', () => {
    expect(documentedIn('Webhooks of the administration')).toEqual(sorted(adminEvents));
    const names = Object.keys(adminEvents).filter((type) => !/^[a-z_]+(\.[a-z_]+)+$/.test(type));
    expect(names).toEqual([]);
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

describe('docs/webhooks.md, about messages', () => {
  it('shows a message with a right signature', () => {
    const [, message = ''] = /^```http\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const [head = '', body = ''] = message.trimEnd().split('\n\n');
    const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(head)?.[1] ?? '';
    const [, secret = ''] = /`(whsec_[A-Za-z0-9+/=]+)`/.exec(page) ?? [];
    const at = new Date(Number(header('webhook-timestamp')) * 1000);
    expect(new Webhook(secret).sign(header('webhook-id'), at, body)).toBe(header('webhook-signature'));
    const { timestamp } = JSON.parse(body) as { timestamp: string };
    const delayMs = at.getTime() - new Date(timestamp).getTime();
    expect(delayMs).toBeGreaterThan(0);
    expect(delayMs).toBeLessThan(5_000);
  });

  it('states the real timeout, and the longest pause that a receiver can ask for (D53)', () => {
    expect(page.match(/within 20 seconds/g)).toHaveLength(2);
    expect(attemptTimeoutMs).toBe(20_000);
    expect(page).toContain('it is respected up to 10 hours');
    expect(Math.max(...retryDelaysMs)).toBe(10 * 3_600_000);
  });
});

describe('the events of webhooks', () => {
  it('have names of lower-case letters, underscores and dots, but for two old ones (D37)', () => {
    const others = Object.keys(webhooked).filter((type) => !/^[a-z_]+(\.[a-z_]+)+$/.test(type));
    expect(others.sort()).toEqual(['developer.email-changed', 'review.message-received']);
  });

  it('are at least those of the mails to developers, but for changes of the endpoints and pipelines themselves (D37, D128)', () => {
    const mailOnly =
      /^(developer\.updated|publisher\.added|review\.message-sent|webhook\.(created|updated|deleted|enabled|secret-rotated))$/;
    const toDevelopers = [...mailed].filter((kind) => !mailOnly.test(kind));
    expect(Object.keys(webhooked)).toEqual(expect.arrayContaining(toDevelopers));
  });
});
