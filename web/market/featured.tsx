import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Logo, Picture } from '../components/picture.tsx';

const FeaturedApps = graphql(`
  query MarketFeatured {
    featuredApps(limit: 6) {
      id
      slug
      name
      description
      bannerUrl
      logoUrl
    }
  }
`);

/** The apps that the marketplace recommends, in a row that scrolls. Nothing if there are none. */
export function Featured() {
  const { data } = useData(FeaturedApps, {});
  if (!data || data.featuredApps.length === 0) return null;
  return (
    <section aria-labelledby="featured">
      <h2 id="featured">Featured</h2>
      <ul class="plain featured">
        {data.featuredApps.map((app, index) => (
          <li key={app.id} class="card app-card">
            {app.bannerUrl && (
              <Picture url={app.bannerUrl} alt="" class="featured-banner" isEager={index < 3} />
            )}
            <div class="app-card-head">
              <Logo url={app.logoUrl} name={app.name} />
              <div>
                <h3>
                  <Link href={`/apps/${app.slug}`} dir="auto">
                    {app.name}
                  </Link>
                </h3>
                <p class="app-card-text soft" dir="auto">
                  {app.description}
                </p>
              </div>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
