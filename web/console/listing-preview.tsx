import { Badge } from '../components/badge.tsx';
import { Later } from '../components/later.tsx';
import { Logo, Picture } from '../components/picture.tsx';
import { useDeveloper } from './developer.tsx';
import { categories, type Listing } from './listing.ts';

const loadMarkdown = () => import('../components/markdown.tsx').then(({ Markdown }) => Markdown);

/** The listing as the page of the storefront will show it. */
export function ListingPreview({ listing }: { listing: Listing }) {
  const { name, companyName } = useDeveloper();
  return (
    <article class="card stack preview" aria-label="Preview of the page in the marketplace">
      {listing.bannerUrl && <Picture url={listing.bannerUrl} alt="" class="preview-banner" />}
      <header class="row">
        <Logo url={listing.logoUrl || null} name={listing.name} />
        <div>
          <h2 dir="auto">{listing.name || 'Without a name'}</h2>
          <small dir="auto">
            by {name}
            {companyName && `, ${companyName}`}
          </small>{' '}
          <Badge value={categories[listing.category]} tone="plain" />
        </div>
      </header>
      <p class="lead" dir="auto">
        {listing.description}
      </p>
      <ul class="plain preview-screenshots">
        {listing.screenshots.map(({ url, caption }, index) => (
          <li key={`${index}`}>
            <figure>
              <Picture url={url || null} alt={caption || `Screenshot ${index + 1}`} />
              {caption && <figcaption dir="auto">{caption}</figcaption>}
            </figure>
          </li>
        ))}
      </ul>
      {listing.longDescription && <Later load={loadMarkdown} props={{ text: listing.longDescription }} />}
      {listing.websiteUrl && (
        <p>
          <a href={listing.websiteUrl} target="_blank" rel="noopener noreferrer nofollow">
            {listing.websiteUrl}
          </a>
        </p>
      )}
    </article>
  );
}
