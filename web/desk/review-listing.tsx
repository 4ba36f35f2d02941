import { wordsOf } from '../components/badge.tsx';
import { Breakable } from '../components/breakable.tsx';
import { Markdown } from '../components/markdown.tsx';
import { Logo } from '../components/picture.tsx';
import { Pictures } from './pictures.tsx';
import { requestReason } from './rejection-requests.ts';
import { type ReviewItem, subjectOf } from './review-data.ts';

/** The whole listing, as the public would read it, and its pictures beside their rules. */
export const ReviewListing = ({ item }: { item: ReviewItem }) => {
  const listing = subjectOf(item);
  return (
    <>
      <section class="card stack" aria-labelledby="listing">
        <h2 id="listing">Listing</h2>
        <ListingText
          listing={listing}
          facts={[
            ['Category', wordsOf(listing.category)],
            ['Environment', wordsOf(item.app.environment)],
            ['Address', item.app.slug],
            ['OAuth client', listing.oauthClientId],
          ]}
        />
      </section>
      <Pictures listing={listing} findings={item.itemFindings} onReason={requestReason} />
    </>
  );
};

interface ListingTextProps {
  listing: {
    name: string;
    description: string;
    longDescription: string | null;
    versionNumber: string | null;
    releaseNotes: string | null;
    logoUrl: string | null;
    websiteUrl: string | null;
  };
  facts: readonly (readonly [label: string, value: string | null])[];
}

/** The texts of a listing. */
export const ListingText = ({ listing, facts }: ListingTextProps) => (
  <>
    <div class="listing-head">
      <Logo url={listing.logoUrl} name={listing.name} isEager />
      <div>
        <h3 dir="auto">{listing.name}</h3>
        <p class="tight pre" dir="auto">
          {listing.description}
        </p>
      </div>
    </div>
    {listing.longDescription ? (
      <Markdown text={listing.longDescription} />
    ) : (
      <p class="soft tight">There is no full description.</p>
    )}
    {listing.releaseNotes && (
      <>
        <h3>What’s new</h3>
        <Markdown text={listing.releaseNotes} />
      </>
    )}
    <dl class="facts">
      <div>
        <dt>Website</dt>
        <dd>
          <OutsideLink url={listing.websiteUrl} />
        </dd>
      </div>
      {listing.versionNumber && (
        <div>
          <dt>Version</dt>
          <dd dir="auto">{listing.versionNumber}</dd>
        </div>
      )}
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? <span class="soft">None</span>}</dd>
        </div>
      ))}
    </dl>
  </>
);

/** A link that a developer has written. It opens in a new tab, which learns nothing of the desk. */
export const OutsideLink = ({ url }: { url: string | null }) =>
  url ? (
    <a href={url} target="_blank" rel="noopener noreferrer">
      <Breakable text={url} />
      <span class="hidden"> (opens in a new tab)</span>
    </a>
  ) : (
    <span class="soft">None</span>
  );
