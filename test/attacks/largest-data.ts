import type { AppJson, Developer, VersionJson } from '../support/actors.js';
import type { Input } from '../support/api-client.js';
import type { Service } from '../support/service.js';

export const text = (letter: string, length: number) => letter.repeat(length);
export const url = (letter: string) => `https://example.com/${text(letter, 2_048 - 20)}`;

let lastApp = 0;
/** The longest listing that the input accepts. */
export function longest(letter: string): Input {
  lastApp += 1;
  return {
    name: `${lastApp}`.padEnd(100, letter),
    description: text(letter, 500),
    longDescription: text(letter, 20_000),
    logoUrl: url(letter),
    bannerUrl: url(letter),
    websiteUrl: url(letter),
    oauthClientId: text(letter, 200),
    screenshots: Array.from({ length: 6 }, () => ({
      url: url(letter),
      caption: text(letter, 200),
      order: 0,
    })),
  };
}

/** A developer with the longest profile. */
export const aLongDeveloper = (service: Service) =>
  service.aDeveloper({ bio: text('a', 2_000), websiteUrl: url('a') });

export const createLongApp = (service: Service, token: string) =>
  service.client.must<AppJson>(
    'createApp',
    { ...longest('a'), category: 'OTHER', environment: 'production' },
    token,
  );

/** Rejects with so many reasons, each as long as it can be. */
export async function reject(
  service: Service,
  name: 'rejectApp' | 'rejectAppVersion',
  { id, revision }: { id: string; revision: number },
  count: number,
): Promise<void> {
  const reasons = Array.from({ length: count }, () => ({
    code: 'OTHER',
    field: text('f', 100),
    message: text('r', 2_000),
  }));
  const input = { id, revision, reasons, guidance: text('g', 2_000) };
  await service.client.must(name, input, await service.admin());
}

/** Returns the id of an app that was rejected for as many reasons as there can be. */
export async function aRejection(service: Service, { token }: Developer): Promise<string> {
  const app = await createLongApp(service, token);
  await service.client.must('submitApp', { id: app.id }, token);
  await reject(service, 'rejectApp', app, 50);
  return app.id;
}

/** An approved app with a submitted version that conflicts with an edit of an administrator in every field. */
export async function aConflict(
  service: Service,
  { token }: Developer,
): Promise<{ app: AppJson; version: VersionJson }> {
  const { client } = service;
  const admin = await service.admin();
  const { id, revision } = await createLongApp(service, token);
  await client.must('submitApp', { id }, token);
  await client.must('approveApp', { id, revision }, admin);
  const proposed = { appId: id, ...longest('v') };
  const { id: versionId } = await client.must<VersionJson>('createAppVersion', proposed, token);
  await client.must('submitAppVersion', { id: versionId }, token);
  const app = await client.must<AppJson>('editApp', { id, ...longest('e'), reason: 'A reason.' }, admin);
  const version = await client.must<VersionJson>('rebaseAppVersion', { id: versionId }, token);
  return { app, version };
}
