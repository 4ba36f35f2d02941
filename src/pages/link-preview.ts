import { contract } from '../contract.js';
import { ServiceError } from '../errors.js';
import { call } from '../operations/call.js';
import type { Context } from '../operations/context.js';

/** The description of a page for search engines, and for programs that show a preview of a link. */
export interface LinkPreview {
  readonly title: string;
  readonly description: string;
  readonly image: string | null;
}

/** Returns the preview of a page of the storefront, such as `/apps/time-tracker`; null if there is no such page. */
export type PreviewOf = (path: string) => Promise<LinkPreview | null>;

const storefront: LinkPreview = {
  title: 'App marketplace',
  description: 'Find apps that extend your task management: browse, search and install.',
  image: null,
};
const maxDescriptionLength = 300;

/** Reads previews by the public operations, as any client could. */
export const linkPreviews =
  (contextOf: () => Context): PreviewOf =>
  async (path) => {
    const [, kind = '', key = ''] = /^\/(apps|developers)\/([^/]+)\/?$/.exec(path) ?? [];
    try {
      if (kind === 'apps') return await appPreview(contextOf(), decodeURIComponent(key));
      if (kind === 'developers') return await developerPreview(contextOf(), decodeURIComponent(key));
      return storefront;
    } catch (error) {
      if (error instanceof ServiceError && ['NOT_FOUND', 'VALIDATION_FAILED'].includes(error.code))
        return null;
      if (error instanceof URIError) return null;
      // The page itself says that the service is not available.
      return storefront;
    }
  };

async function appPreview(context: Context, slug: string): Promise<LinkPreview> {
  const { name, description, bannerUrl, logoUrl } = await call(contract.app, context, { slug });
  return {
    title: name,
    description: description.slice(0, maxDescriptionLength),
    image: bannerUrl ?? logoUrl,
  };
}

async function developerPreview(context: Context, id: string): Promise<LinkPreview> {
  const { name, companyName } = await call(contract.publicDeveloper, context, { id });
  const title = companyName ?? name;
  return { title, description: `Apps by ${title}.`, image: null };
}
