import { examples } from '../../../src/rest/openapi/examples.js';
import type { AppJson, Developer } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import type { Service } from '../../support/service.js';

/** All fields of a public app, from the example in the documentation. */
export const publicFields = Object.keys(examples.app!.response);

export interface PublicAppJson extends Record<string, unknown> {
  slug: string;
  installCount: number;
}

interface Figures {
  installs?: number;
  /** The day of January 2026 on which it was approved. */
  day?: number;
  rating?: [mean: number, count: number];
  featured?: boolean;
}

/** A public app with figures that would take months to come by. */
export async function aPublicApp(
  service: Service,
  developer: Developer,
  listing: Input,
  { installs = 0, day = 1, rating = [0, 0], featured = false }: Figures = {},
): Promise<AppJson> {
  const app = await service.anApp(developer, 'APPROVED', listing);
  await service.sql('update app_figures set install_count = $2 where id = $1', [app.id, installs]);
  await service.sql(
    'update apps set approved_at = $2, average_rating = $3, review_count = $4, featured = $5 where id = $1',
    [app.id, new Date(Date.UTC(2026, 0, day)).toISOString(), ...rating, featured],
  );
  return app;
}
