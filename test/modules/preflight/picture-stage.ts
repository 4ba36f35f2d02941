import { expect } from '@jest/globals';
import type { AppJson, ConnectionJson, Developer, Json } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { until } from '../../support/mail-server.js';
import { mayFetch, type PictureServer, png, startPictureServer } from '../../support/pictures.js';
import { type Service, startService } from '../../support/service.js';
import { shared } from '../../support/shared.js';

/** A service, a developer, and a picture server that the service may fetch from. */
export interface PictureStage {
  service: Service;
  pictures: PictureServer;
  ada: Developer;
  close(): Promise<void>;
}

export async function startPictureStage(settings: Record<string, string>): Promise<PictureStage> {
  const pictures = await startPictureServer();
  const service = await startService(settings, undefined, mayFetch(pictures));
  const ada = await service.aDeveloper();
  return {
    service,
    pictures,
    ada,
    async close() {
      await service.close();
      await pictures.close();
    },
  };
}

/** Checks pictures in a background job, and only warns. */
export const warningStage = shared(() => startPictureStage({ ASSET_CHECKS: 'warn', WORKER: 'inline' }));
/** Checks pictures before a submission, and refuses it. */
export const enforcingStage = shared(() => startPictureStage({ ASSET_CHECKS: 'enforce', WORKER: 'inline' }));

/** A listing whose pictures are on the stage's picture server. */
export const listingWith = ({ pictures }: PictureStage, ...screenshots: string[]): Input => ({
  logoUrl: pictures.url('/png/512x512'),
  screenshots: screenshots.map((path) => ({ url: pictures.url(path) })),
});
export const goodPictures = ['/png/1280x720', '/jpg/1280x720'];

const asLines = (findings: Json[]) =>
  findings.map(({ field, severity, code }) => `${severity} ${field}: ${code}`);
const shown = 'findings { field severity code }';

/** Findings as lines: `WARNING logoUrl: wrong_size`. */
export const findingsOf = async ({ service, ada }: PictureStage, id: string): Promise<string[]> => {
  const query = `query ($id: ID!) { myApp(id: $id) { ${shown} } }`;
  const { myApp } = await service.client.queryData<{ myApp: { findings: Json[] } }>(query, { id }, ada.token);
  return asLines(myApp.findings);
};
export const findingsOfVersion = async ({ service, ada }: PictureStage, appId: string): Promise<string[]> => {
  const query = `query ($id: ID!) { myApp(id: $id) { openVersion { ${shown} } } }`;
  type Answer = { myApp: { openVersion: { findings: Json[] } } };
  const { myApp } = await service.client.queryData<Answer>(query, { id: appId }, ada.token);
  return asLines(myApp.openVersion.findings);
};
export const findingsInQueue = async (
  { service }: PictureStage,
  id: string,
): Promise<string[] | undefined> => {
  const queue = await service.administer<ConnectionJson<{ app: AppJson; findings: Json[] }>>('reviewQueue', {
    first: 100,
  });
  const item = queue.edges.find(({ node }) => node.app.id === id);
  return item && asLines(item.node.findings);
};
export const checksOf = ({ service }: PictureStage, id: string, revision: number) =>
  service.sql<{ field: string; ok: boolean; width: number; bytes: number; sha256: string; checked_at: Date }>(
    'select * from asset_checks where listing_id = $1 and revision = $2 order by field',
    [id, revision],
  );
/** Expects that a read soon returns this value. */
export async function expectSoon(read: () => Promise<unknown>, expected: unknown): Promise<void> {
  // Values of the service and of the test have arrays of different realms, so only Jest compares them.
  const isEqual = (value: unknown) => {
    try {
      expect(value).toEqual(expected);
      return true;
    } catch {
      return false;
    }
  };
  await until(async () => isEqual(await read())).catch(() => undefined);
  expect(await read()).toEqual(expected);
}

/** A picture whose response waits until the test releases it; `requested` resolves when it is fetched. */
export function heldPicture({ pictures }: PictureStage, path: string) {
  const requested = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const url = pictures.serve(path, async (_, response) => {
    requested.resolve();
    await released.promise;
    response.end(png(1280, 720));
  });
  return { url, requested: requested.promise, release: () => released.resolve() };
}
