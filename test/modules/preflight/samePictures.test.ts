import { describe, expect, it } from '@jest/globals';
import type { AppJson, Developer, Json } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { png } from '../../support/pictures.js';
import { startPictureWorker } from '../../support/workers.js';
import { enforcingStage, findingsInQueue, goodPictures, listingWith } from './picture-stage.js';

const stage = beforeTests(enforcingStage);
const bob = beforeTests(() => stage.service.aDeveloper());

let served = 0;
/** Serves a picture of its own content at two addresses. */
function copies(width: number, height: number): [string, string] {
  served += 1;
  const content = Buffer.concat([png(width, height), Buffer.from(`picture ${served}`)]);
  const serve = (name: string) =>
    stage.pictures.serve(`/${name}-${served}.png`, (_, response) =>
      response.writeHead(200, { 'content-type': 'image/png' }).end(content),
    );
  return [serve('original'), serve('copy')];
}

const listing = (changes: Input): Input => ({ ...listingWith(stage, ...goodPictures), ...changes });
const pictureFindings = async (id: string, by: Developer) => {
  const { findings } = await stage.service.client.must<{ findings: Json[] }>('preflight', { id }, by.token);
  return findings.filter(({ code }) => code === 'same_picture');
};

describe('the picture of another developer’s public app', () => {
  it.each([
    ['logoUrl', 512, 512],
    ['bannerUrl', 1200, 600],
  ])('is a warning, whatever its address: %s (D422)', async (field, width, height) => {
    const { service, ada } = stage;
    const [original, copy] = copies(width, height);
    const theirs = await service.anApp(
      bob,
      'APPROVED',
      listing({ logoUrl: copies(512, 512)[0], [field]: original }),
    );
    const mine = listing({ logoUrl: copies(512, 512)[0], [field]: copy, name: 'Something else entirely' });
    const { id } = await service.anApp(ada, 'PENDING', mine);
    expect(await findingsInQueue(stage, id)).toEqual([`WARNING ${field}: same_picture`]);
    const query =
      'query ($id: ID!) { adminApp(id: $id) { findings { code message needsReason about { id } } } }';
    const { adminApp } = await service.client.queryData<{ adminApp: { findings: Json[] } }>(
      query,
      { id },
      await service.admin(),
    );
    expect(adminApp.findings).toEqual([
      {
        code: 'same_picture',
        message: `The public app "${theirs.name}" of another developer shows the same picture.`,
        needsReason: false,
        about: { id: theirs.id },
      },
    ]);
    expect(await pictureFindings(id, ada)).toHaveLength(1);
    const unsaved = await service.client.must<{ findings: Json[] }>(
      'preflightListing',
      { ...mine, name: 'A third', description: 'Does it.', category: 'OTHER', environment: 'production' },
      ada.token,
    );
    expect(unsaved.findings.map(({ code }) => code)).toContain('same_picture');
    await service.administer('suspendApp', { id: theirs.id, reason: 'It misbehaves.' });
    expect(await findingsInQueue(stage, id)).toEqual([]);
  });

  it('is none of one’s own, none that is not public, and is not repeated for a version that keeps it (D422)', async () => {
    const { service, ada } = stage;
    const [logoUrl, copy] = copies(512, 512);
    await service.anApp(bob, 'PENDING', listing({ logoUrl }));
    const first = await service.anApp(ada, 'APPROVED', listing({ logoUrl: copy }));
    expect(
      await pictureFindings(
        (await service.anApp(ada, 'PENDING', listing({ logoUrl, name: 'Another one' }))).id,
        ada,
      ),
    ).toEqual([]);
    await service.anApp(bob, 'APPROVED', listing({ logoUrl, name: 'Bob’s own' }));
    const version = await service.client.must<AppJson>(
      'createAppVersion',
      { appId: first.id, description: 'Better.' },
      ada.token,
    );
    expect(await pictureFindings(version.id, ada)).toEqual([]);
  });

  it('is found soon although the public app was never checked: its pictures are fetched first (D328, D422)', async () => {
    const { service, ada, pictures } = stage;
    const [original, copy] = copies(512, 512);
    const theirs = await service.anApp(bob, 'APPROVED', listing({ logoUrl: original }));
    // As apps are that were approved before pictures were checked.
    await service.sql('delete from asset_checks where app_id = $1', [theirs.id]);
    const { id } = await service.anApp(ada, 'PENDING', listing({ logoUrl: copy, name: 'Elsewhere' }));
    expect(await findingsInQueue(stage, id)).toEqual([]);
    const worker = await startPictureWorker(service.databaseUrl, {
      allowedHosts: [pictures.host],
      resolve: async () => [],
    });
    await worker.check();
    await worker.close();
    expect(await findingsInQueue(stage, id)).toEqual(['WARNING logoUrl: same_picture']);
  });
});
