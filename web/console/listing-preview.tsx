import { Avatar } from '../components/avatar.tsx';
import { Banner } from '../components/banner.tsx';
import { Breakable } from '../components/breakable.tsx';
import { Gallery } from '../components/gallery.tsx';
import { Icon } from '../components/icon.tsx';
import { Later } from '../components/later.tsx';
import { Logo } from '../components/picture.tsx';
import { Verified } from '../components/verified.tsx';
import '../components/app-page.css';
import { useDeveloper } from './developer.tsx';
import { categories, type Listing } from './listing.ts';
import { isWebAddress } from './listing-checks.ts';

const loadMarkdown = () => import('../components/markdown.tsx').then(({ Markdown }) => Markdown);

/** The listing as the storefront will show it, with the style sheets of its page. Nothing leads away from it. */
export const ListingPreview = ({ listing }: { listing: Listing }) => (
  <article class="stack app-page listing-preview" aria-label="Preview of the page in the marketplace">
    <Head listing={listing} />
    <Body listing={listing} />
  </article>
);

/** A listing that cannot be edited now: what it says, below the name and the logo of the page. */
export const ListingContents = ({ listing }: { listing: Listing }) => (
  <article class="stack app-page listing-contents" aria-label="The listing">
    <section class="card listing-summary">
      <div>
        <h2>Short description</h2>
        <p dir="auto">{listing.description}</p>
      </div>
      {listing.bannerUrl && <Banner url={listing.bannerUrl} />}
    </section>
    <Body listing={listing} />
  </article>
);

const Body = ({ listing }: { listing: Listing }) => (
  <>
    <Gallery screenshots={listing.screenshots} />
    <div class="app-columns">
      <div class="stack">
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
            <h2>
              What’s new{listing.versionNumber && <small dir="auto"> in {listing.versionNumber}</small>}
            </h2>
            <Later load={loadMarkdown} props={{ text: listing.releaseNotes }} />
          </section>
        )}
      </div>
      <Facts listing={listing} />
    </div>
  </>
);

const usePublisher = () => {
  const { name, companyName, status } = useDeveloper();
  return { publisher: companyName ?? name, isVerified: status === 'VERIFIED' };
};

function Head({ listing }: { listing: Listing }) {
  const { publisher, isVerified } = usePublisher();
  return (
    <header class="card app-head">
      {listing.bannerUrl && <Banner url={listing.bannerUrl} />}
      <div class="app-head-text">
        <Logo url={listing.logoUrl || null} name={listing.name} />
        <div>
          <h2 class="preview-name" dir="auto">
            {listing.name || 'Without a name'}
          </h2>
          <p>
            by <span dir="auto">{publisher}</span> {isVerified && <Verified />}
          </p>
          <p dir="auto">{listing.description}</p>
        </div>
        <div class="install">
          <button type="button" class="primary" disabled>
            Install
          </button>
          <small>People install the app here.</small>
        </div>
      </div>
    </header>
  );
}

function Facts({ listing: { category, versionNumber, websiteUrl } }: { listing: Listing }) {
  const { publisher, isVerified } = usePublisher();
  return (
    <section class="card details">
      <h2>Details</h2>
      <p class="person developer-link">
        <Avatar name={publisher} />
        <span>
          <small>Developer{isVerified && ' · Verified'}</small>
          <strong dir="auto">{publisher}</strong>
        </span>
      </p>
      <dl class="facts">
        <dt>Category</dt>
        <dd>
          <span class="with-icon">
            <Icon name={category} /> {categories[category]}
          </span>
        </dd>
        {versionNumber && (
          <>
            <dt>Version</dt>
            <dd dir="auto">{versionNumber}</dd>
          </>
        )}
        {isWebAddress(websiteUrl) && (
          <>
            <dt>Website</dt>
            <dd>
              <Breakable text={new URL(websiteUrl).host} />
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
