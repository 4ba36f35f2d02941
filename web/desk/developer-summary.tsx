import { Link } from 'wouter-preact';
import { Badge } from '../components/badge.tsx';
import { dayOf, When } from '../components/when.tsx';
import type { DeveloperData } from './review-data.ts';
import { OutsideLink } from './review-listing.tsx';

/** The developer of a submission, with what is known of them. */
export const DeveloperSummary = ({ developer }: { developer: DeveloperData }) => (
  <section class="card stack developer-summary" aria-labelledby="developer">
    <h2 id="developer" class="row">
      <Link href={`/developers/${developer.id}`} dir="auto">
        {developer.name}
      </Link>
      <Badge value={developer.status} />
    </h2>
    <dl class="facts">
      <Fact label="Company" value={developer.companyName} />
      <Fact label="E-mail" value={developer.email} />
      <div>
        <dt>Website</dt>
        <dd>
          <OutsideLink url={developer.websiteUrl} />
        </dd>
      </div>
      <Fact label="Account" value={developer.accountUserId} />
      <div>
        <dt>Registered</dt>
        <dd>
          <When at={developer.createdAt} />
        </dd>
      </div>
      <Fact label="Verified" value={developer.verifiedAt && dayOf(developer.verifiedAt)} />
    </dl>
    {developer.bio && (
      <p class="tight pre" dir="auto">
        {developer.bio}
      </p>
    )}
    <DeveloperApps developer={developer} />
  </section>
);

const Fact = ({ label, value }: { label: string; value: string | null }) => (
  <div>
    <dt>{label}</dt>
    <dd dir="auto">{value || <span class="soft">None</span>}</dd>
  </div>
);

const DeveloperApps = ({ developer: { id, apps } }: { developer: DeveloperData }) => (
  <div>
    <h3>
      <Link href={`/apps?developer=${id}`}>
        {apps.totalCount} {apps.totalCount === 1 ? 'app' : 'apps'}
      </Link>
    </h3>
    <ul class="plain">
      {apps.edges.map(({ node }) => (
        <li key={node.id} class="row">
          <Link href={`/apps/${node.id}`} dir="auto">
            {node.name}
          </Link>
          <Badge value={node.status} />
        </li>
      ))}
    </ul>
  </div>
);
