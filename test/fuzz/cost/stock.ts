import { twoScreenshots, unique } from '../../support/actors.js';
import type { MeasuredGateway } from './gateway.js';

/** Public apps: as many as the longest page shows. */
const publicApps = 100;

/**
 * Fills the catalog with apps whose texts are long: 8 KB each. As long as they may be, a page of 100 would be 9.6 MB,
 * which the contract does not let us shorten (D17, D27).
 */
export async function fillCatalog(gateway: MeasuredGateway): Promise<void> {
  const developer = await gateway.aDeveloper();
  const listing = {
    description: '界'.repeat(500),
    longDescription: '界'.repeat(2_000),
    screenshots: twoScreenshots,
  };
  const one = () =>
    gateway.anApp(developer, 'APPROVED', { ...listing, name: `${unique('Task')} ${'界'.repeat(70)}` });
  for (let made = 0; made < publicApps; made += 4) await Promise.all([one(), one(), one(), one()]);
}
