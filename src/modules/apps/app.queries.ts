import type { Statement } from '../../db/reader.js';
import type { App } from './app.entity.js';

/** A row of the list of apps. It has the fields of the entity but is a plain object, because creating entities takes longer than the query. */
export type AppRow = Omit<App, 'developer'> & { developer: { id: string } };

/** The apps of a developer, newest first, with the property names of the entity. */
export const appsOfDeveloper = (developerId: string): Statement => ({
  name: 'apps of a developer',
  text: `
    select a.id, slug, name, description, long_description as "longDescription", a.category, a.environment,
      logo_url as "logoUrl", banner_url as "bannerUrl", website_url as "websiteUrl", oauth_client_id as "oauthClientId",
      screenshots, status, a.featured, f.install_count as "installCount", review_count as "reviewCount",
      average_rating as "averageRating", revision, submitted_at as "submittedAt", a.approved_at as "approvedAt", rejection,
      created_at as "createdAt", updated_at as "updatedAt"
    from apps a join app_figures f on f.id = a.id where developer_id = $1 order by created_at desc, a.id desc`,
  values: [developerId],
});
