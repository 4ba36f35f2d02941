import { twoScreenshots, unique } from '../../support/actors.js';
import type { MeasuredGateway } from './gateway.js';

/** Public apps: as many as the longest page shows. */
const publicApps = 100;

/** Fills the catalog with apps whose texts are as long as they may be, so that long answers can be asked for. */
export async function fillCatalog(gateway: MeasuredGateway): Promise<void> {
  const developer = await gateway.aDeveloper();
  const listing = {
    description: '界'.repeat(500),
    longDescription: '𠮷'.repeat(20_000),
    screenshots: [...twoScreenshots, ...twoScreenshots, ...twoScreenshots].map(({ url }, i) => ({
      url: `${url}?${'a'.repeat(1_900)}${i}`,
      caption: '界'.repeat(200),
    })),
  };
  const one = () =>
    gateway.anApp(developer, 'APPROVED', { ...listing, name: `${unique('Task')} ${'界'.repeat(70)}` });
  for (let made = 0; made < publicApps; made += 4) await Promise.all([one(), one(), one(), one()]);
}
