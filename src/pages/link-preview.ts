import { contract } from '../contract.js';
import { ServiceError } from '../errors.js';
import { call } from '../operations/call.js';
import type { Context } from '../operations/context.js';

/** The description of a page for search engines, and for programs that show a preview of a link. */
export interface LinkPreview {
  readonly title: string;
  readonly description: string;
  readonly image: string | null;
  /** Path of the page without its query string; null if search engines must not list the page. */
  readonly path: string | null;
}

/** Returns the preview of a page of the storefront, such as `/apps/time-tracker`; null if there is no such page. */
export type PreviewOf = (path: string) => Promise<LinkPreview | null>;

const storefront: LinkPreview = {
  title: 'App marketplace',
  description: 'Find apps that extend your task management: browse, search and install.',
  image: null,
  path: '/market',
};
const maxDescriptionLength = 300;

/** Reads previews by the public operations, as any client could. */
export const linkPreviews =
  (contextOf: () => Context): PreviewOf =>
  async (path) => {
    if (/^\/?$/.test(path)) return storefront;
    const [, kind, key = ''] = /^\/(apps|developers)\/([^/]+)\/?$/.exec(path) ?? [];
    try {
      if (kind === 'apps') return await appPreview(contextOf(), decodeURIComponent(key));
      if (kind === 'developers') return await developerPreview(contextOf(), decodeURIComponent(key));
      return null;
    } catch (error) {
      if (error instanceof ServiceError && ['NOT_FOUND', 'VALIDATION_FAILED'].includes(error.code))
        return null;
      // The page itself says that the service is not available.
      return { ...storefront, path: `/market${path}` };
    }
  };

async function appPreview(context: Context, slug: string): Promise<LinkPreview> {
  const app = await call(contract.app, context, { slug });
  return {
    title: `${app.name} · Marketplace`,
    description: shortened(app.description),
    image: app.bannerUrl ?? app.logoUrl,
    path: `/market/apps/${app.slug}`,
  };
}

async function developerPreview(context: Context, id: string): Promise<LinkPreview> {
  const developer = await call(contract.publicDeveloper, context, { id });
  const name = developer.companyName ?? developer.name;
  return {
    title: `${name} · Marketplace`,
    description: `Apps by ${name}.`,
    image: null,
    path: `/market/developers/${developer.id}`,
  };
}

/** Returns the beginning of a text. Characters outside the basic plane are not cut in half. */
function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= maxDescriptionLength
    ? text
    : `${characters
        .slice(0, maxDescriptionLength - 1)
        .join('')
        .trimEnd()}…`;
}
