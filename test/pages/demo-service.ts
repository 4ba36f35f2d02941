import { seedDemo } from '../../src/demo-data/demo.js';
import { type Service, startService } from '../support/service.js';
import { shared } from '../support/shared.js';

/** A service with the demo data. It checks pictures before a submission, so that a bad one would be rejected. */
export const demoService = shared(async (): Promise<Service> => {
  const service = await startService({ ASSET_CHECKS: 'enforce' });
  await seedDemo({ databaseUrl: service.databaseUrl, publicUrl: service.url });
  return service;
});
