import type { Developer } from '../../support/actors.js';
import { type Service, startService } from '../../support/service.js';
import { shared } from '../../support/shared.js';
import { aPublicApp, type PublicAppJson } from './public-apps.js';

/** A page of browseApps. */
export interface AppPage {
  apps: PublicAppJson[];
  pagination: { page: number; limit: number; total: number; totalPages: number };
}

export const slugsOf = ({ apps }: AppPage) => apps.map(({ slug }) => slug);

/** A small catalog that the tests of browseApps read and never change. */
export interface BrowsedCatalog {
  service: Service;
  /** Slugs of three apps that are equal in every sort field except the id. */
  twins: string[];
  /** All public slugs, most installed first. */
  popular: string[];
  close(): Promise<void>;
}

export const browsedCatalog = shared(async (): Promise<BrowsedCatalog> => {
  const service = await startService();
  const ada = await service.aDeveloper({
    name: 'Ada',
    companyName: 'Engines',
    websiteUrl: 'https://ada.example',
  });
  const twins = await publish(service, ada);
  await hide(service, ada);
  return {
    service,
    twins,
    popular: ['invoice-maker', 'budget', 'time-tracker', ...twins, 'zebra'],
    close: () => service.close(),
  };
});

/** Publishes the apps that browseApps lists. */
async function publish(service: Service, ada: Developer): Promise<string[]> {
  await aPublicApp(
    service,
    ada,
    {
      name: 'Time Tracker',
      longDescription: '# Long',
      oauthClientId: 'a-client',
      logoUrl: 'https://pictures.example/logo.png',
    },
    { installs: 50, day: 5, rating: [4.5, 10], featured: true },
  );
  await aPublicApp(
    service,
    ada,
    { name: 'invoice maker', description: 'Writes bills.', category: 'FINANCE' },
    { installs: 70, day: 1, rating: [4.5, 30] },
  );
  await aPublicApp(
    service,
    ada,
    { name: 'Budget', description: 'Watches the money.', category: 'FINANCE', environment: 'staging' },
    { installs: 50, day: 9, rating: [5, 1], featured: true },
  );
  await aPublicApp(
    service,
    ada,
    { name: 'Zebra', description: 'Stripes.', environment: 'localhost' },
    { installs: 3, day: 3 },
  );
  const twins: string[] = [];
  for (const name of ['Twin', 'twin', 'TWIN']) {
    const listing = { name, description: 'One of three.', category: 'AI_ML' };
    twins.push((await aPublicApp(service, ada, listing, { installs: 7, day: 7 })).slug);
  }
  return twins;
}

/** Creates apps that browseApps must not list. */
async function hide(service: Service, ada: Developer): Promise<void> {
  for (const status of ['DRAFT', 'PENDING', 'REJECTED', 'SUSPENDED'] as const)
    await service.anApp(ada, status, { name: `Time Tracker ${status}` });
  const eve = await service.aDeveloper();
  await aPublicApp(service, eve, { name: "Eve's Time Tracker" }, { installs: 1000 });
  await service.administer('suspendDeveloper', { id: eve.id, reason: 'Fraud.' });
}
