import type { PublicApp } from '../../modules/catalog/catalog.types.js';
import type { Category } from '../../modules/listings/listing.entity.js';
import { developerName } from './parts.html.js';

/** The kinds of applications that search engines know, by category. */
const kinds: Record<Category, string> = {
  PRODUCTIVITY: 'BusinessApplication',
  UTILITIES: 'UtilitiesApplication',
  BUSINESS: 'BusinessApplication',
  DEVELOPER_TOOLS: 'DeveloperApplication',
  COMMUNICATION: 'CommunicationApplication',
  ANALYTICS: 'BusinessApplication',
  AI_ML: 'UtilitiesApplication',
  FINANCE: 'FinanceApplication',
  EDUCATION: 'EducationalApplication',
  OTHER: 'UtilitiesApplication',
};

/** Describes an app as a SoftwareApplication of schema.org. The catalog knows no prices, so there is no offer. */
export const softwareApplication = (app: PublicApp, urlOf: (path: string) => string) => ({
  '@context': 'https://schema.org',
  '@type': 'SoftwareApplication',
  name: app.name,
  description: app.description,
  url: urlOf(`/apps/${app.slug}`),
  applicationCategory: kinds[app.category],
  operatingSystem: 'Web',
  ...((app.logoUrl ?? app.bannerUrl) && { image: app.logoUrl ?? app.bannerUrl }),
  ...(app.screenshots.length > 0 && { screenshot: app.screenshots.map(({ url }) => url) }),
  ...(app.versionNumber && { softwareVersion: app.versionNumber }),
  ...(app.releaseNotes && { releaseNotes: app.releaseNotes }),
  datePublished: app.approvedAt,
  dateModified: app.updatedAt,
  author: {
    '@type': app.developer.companyName ? 'Organization' : 'Person',
    name: developerName(app.developer),
    url: urlOf(`/developers/${app.developer.id}`),
  },
  ...(app.reviewCount > 0 && {
    aggregateRating: {
      '@type': 'AggregateRating',
      ratingValue: app.averageRating,
      ratingCount: app.reviewCount,
      bestRating: 5,
      worstRating: 1,
    },
  }),
});
