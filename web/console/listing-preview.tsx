import { Banner } from '../components/banner.tsx';
import { Gallery } from '../components/gallery.tsx';
import { Later } from '../components/later.tsx';
import { Logo } from '../components/picture.tsx';
import '../components/app-page.css';
import { useDeveloper } from './developer.tsx';
import { categories, type Listing } from './listing.ts';

const loadMarkdown = () => import('../components/markdown.tsx').then(({ Markdown }) => Markdown);

/** The listing as the storefront will show it, with the style sheet of its page. */
export function ListingPreview({ listing }: { listing: Listing }) {
  const { name, companyName } = useDeveloper();
  return (
    <article class="stack" aria-label="Preview of the page in the marketplace">
      <header class="card app-head">
        {listing.bannerUrl && <Banner url={listing.bannerUrl} />}
        <div class="app-head-text">
          <Logo url={listing.logoUrl || null} name={listing.name} />
          <div>
            <h2 dir="auto">{listing.name || 'Without a name'}</h2>
            <p>
              by <span dir="auto">{companyName ?? name}</span>
              <span class="soft"> · {categories[listing.category]}</span>
            </p>
            <p dir="auto">{listing.description}</p>
          </div>
        </div>
      </header>
      <Gallery screenshots={listing.screenshots} />
      <section class="card">
        <h2>About</h2>
        {listing.longDescription ? (
          <Later load={loadMarkdown} props={{ text: listing.longDescription }} />
        ) : (
          <p class="soft">There is no further description.</p>
        )}
      </section>
      {listing.releaseNotes && (
        <section class="card">
          <h2>What’s new{listing.versionNumber && <small dir="auto"> in {listing.versionNumber}</small>}</h2>
          <Later load={loadMarkdown} props={{ text: listing.releaseNotes }} />
        </section>
      )}
    </article>
  );
}
