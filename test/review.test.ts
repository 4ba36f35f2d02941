import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kind, parse } from 'graphql';
import { startReceiver } from './modules/webhooks/receiver.js';
import { beforeTests } from './support/before-tests.js';
import { until } from './support/mail-server.js';
import { type Service, startService } from './support/service.js';

interface Step {
  heading: string;
  who: 'developer' | 'administrator' | 'anyone';
  document: string;
  answer: Record<string, unknown>;
}

/** The notifications that a section promises by its end. */
interface News {
  heading: string;
  mail: string;
  webhook: string | undefined;
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

const news: News[] = story.split(/^## /m).flatMap((section) => {
  const [, mail, webhook] = /^\*Mail: “(.*?)”[,.](?:.*?Webhook: `(.*?)`)?.*\*$/m.exec(section) ?? [];
  return mail ? [{ heading: section.split('\n', 1)[0]!, mail, webhook }] : [];
});

const newsOf = ({ heading }: Step) => news.find((told) => told.heading === heading);
const lastOfSection = (i: number) => steps[i]!.heading !== steps[i + 1]?.heading;

describe('the story of docs/review.md (D33) (D37)', () => {
  let service: Service;
  let inbox: () => { body: string }[];
  const known: Record<string, string> = { accountUserId: 'ada-of-the-review' };
  const tokens: Record<Step['who'], string | null> = { developer: null, administrator: null, anyone: null };
  const receiver = beforeTests(startReceiver);
  beforeAll(async () => {
    const endpoint = receiver.address();
    inbox = endpoint.inbox;
    known.receiver = endpoint.url;
    service = await startService({ WORKER: 'inline' }, undefined, {
      webhooks: { allowedHosts: [receiver.host] },
    });
    tokens.developer = await service.token(known.accountUserId!);
    tokens.administrator = (await service.anAdministrator()).token;
  });
  afterAll(async () => {
    await service.close();
    await receiver.close();
  });

  it('is told in requests that are all here', () => {
    expect(steps).toHaveLength(story.match(/^```graphql/gm)!.length);
    expect(steps.length).toBeGreaterThan(15);
  });

  /** Waits for the mail and the webhook that a section promises. */
  const hear = async ({ mail, webhook }: News) => {
    await until(async () => {
      const find = 'select 1 from mails where recipient = $1 and subject = $2';
      return (await service.sql(find, ['ada@review.example', mail])).length > 0;
    });
    const types = () => inbox().map(({ body }) => (JSON.parse(body) as { type: string }).type);
    if (webhook) await until(() => types().includes(webhook));
  };

  it.each(
    steps.map((step, i) => ({ ...step, number: i + 1, told: lastOfSection(i) ? newsOf(step) : undefined })),
  )('step $number, $who: $heading', async ({ document, who, answer, told }) => {
    const data = await service.client.queryData<Record<string, { id: string }>>(
      document,
      variablesOf(document, known),
      tokens[who],
    );
    expect(data).toMatchObject(answer);
    if (data.registerDeveloper) known.developerId = data.registerDeveloper.id;
    if (data.createApp) known.appId = data.createApp.id;
    if (data.createAppVersion) known.versionId = data.createAppVersion.id;
    if (told) await hear(told);
  });

  it('tells of mails and webhooks that are all here', () => {
    expect(news.map(({ webhook }) => webhook)).toEqual([
      undefined,
      'app.submitted',
      'app.rejected',
      'app.approved',
      'version.approved',
    ]);
  });
});

/** Only those that the document declares. */
function variablesOf(document: string, known: Record<string, string>): Record<string, string> {
  const declared = parse(document).definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? (definition.variableDefinitions ?? []) : [],
  );
  const names = declared.map(({ variable }) => variable.name.value);
  return Object.fromEntries(names.map((name) => [name, known[name] ?? '']));
}
