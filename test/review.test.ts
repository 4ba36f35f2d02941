import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kind, parse } from 'graphql';
import { type Service, startService } from './support/service.js';

interface Step {
  heading: string;
  who: 'developer' | 'administrator' | 'anyone';
  document: string;
  answer: Record<string, unknown>;
}

const story = readFileSync(new URL('../docs/review.md', import.meta.url), 'utf8');
const steps: Step[] = story.split(/^## /m).flatMap((section) => {
  const requests = section.matchAll(/^```graphql (\w+)\n([\s\S]*?)^```\n```json\n([\s\S]*?)^```$/gm);
  return [...requests].map(([, who, document, answer]) => ({
    heading: section.split('\n', 1)[0]!,
    who: who as Step['who'],
    document: document!,
    answer: JSON.parse(answer!) as Step['answer'],
  }));
});

describe('the story of docs/review.md', () => {
  let service: Service;
  const known: Record<string, string> = { accountUserId: 'ada-of-the-review' };
  const tokens: Record<Step['who'], string | null> = { developer: null, administrator: null, anyone: null };
  beforeAll(async () => {
    service = await startService();
    tokens.developer = await service.token(known.accountUserId!);
    tokens.administrator = (await service.anAdministrator()).token;
  });
  afterAll(() => service.close());

  it('is told in requests that are all here', () => {
    expect(steps).toHaveLength(story.match(/^```graphql/gm)!.length);
    expect(steps.length).toBeGreaterThan(15);
  });

  it.each(steps.map((step, i) => ({ ...step, number: i + 1 })))(
    'step $number, $who: $heading',
    async ({ document, who, answer }) => {
      const data = await service.doors.ask<Record<string, { id: string }>>(
        document,
        variablesOf(document, known),
        tokens[who],
      );
      expect(data).toMatchObject(answer);
      if (data.registerDeveloper) known.developerId = data.registerDeveloper.id;
      if (data.createApp) known.appId = data.createApp.id;
      if (data.createAppVersion) known.versionId = data.createAppVersion.id;
    },
  );
});

/** Only those that the document declares. */
function variablesOf(document: string, known: Record<string, string>): Record<string, string> {
  const declared = parse(document).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  );
  const names = declared.map(({ variable }) => variable.name.value);
  return Object.fromEntries(names.map((name) => [name, known[name] ?? '']));
}
