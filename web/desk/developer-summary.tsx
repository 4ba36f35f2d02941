import { Link } from 'wouter-preact';
import { Badge, StatusBadge } from '../components/badge.tsx';
import { Breakable } from '../components/breakable.tsx';
import { counted } from '../components/counted.ts';
import { dayOf, When } from '../components/when.tsx';
import { DeveloperHistory } from './developer-history.tsx';
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
    <DeveloperHistory id={developer.id} />
    <DeveloperFacts developer={developer} />
    <DeveloperApps developer={developer} />
  </section>
);

/** The profile of a developer, and since when they are known. */
export const DeveloperFacts = ({ developer }: { developer: Omit<DeveloperData, 'apps' | 'status'> }) => (
  <>
    <dl class="facts">
      <Fact label="Company" value={developer.companyName} />
      <div>
        <dt>E-mail</dt>
        <dd dir="auto">
          <EmailAddress developer={developer} />
        </dd>
      </div>
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
      <Fact label="Verified" value={developer.verifiedAt ? dayOf(developer.verifiedAt) : 'Not yet'} />
    </dl>
    {developer.bio && (
      <p class="tight pre" dir="auto">
        {developer.bio}
      </p>
    )}
  </>
);

const EmailAddress = ({
  developer,
}: {
  developer: Pick<DeveloperData, 'email' | 'emailProven' | 'emailLost'>;
}) =>
  developer.emailLost ? (
    <span class="badge warn">Lost: another account has confirmed this address</span>
  ) : (
    <>
      <Breakable text={developer.email} />{' '}
      {developer.emailProven ? (
        <span class="badge good">Confirmed</span>
      ) : (
        <span class="badge warn">Not confirmed</span>
      )}
    </>
  );

/** Other developers whose name or company looks the same. */
export const Lookalikes = ({ developers }: { developers: DeveloperData['lookalikes'] }) =>
  !developers?.length ? null : (
    <div class="note warn">
      <p class="tight">
        <strong>The developer’s name or company looks like that of:</strong>
      </p>
      <ul class="plain">
        {developers.map(({ id, name, companyName, status }) => (
          <li key={id} class="row">
            <Link href={`/developers/${id}`} dir="auto">
              {name}
              {companyName && `, ${companyName}`}
            </Link>
            <Badge value={status} />
          </li>
        ))}
      </ul>
    </div>
  );

const Fact = ({ label, value }: { label: string; value: string | null }) => (
  <div>
    <dt>{label}</dt>
    <dd>{value ? <bdi>{value}</bdi> : <span class="soft">None</span>}</dd>
  </div>
);

/** The number of a developer's apps, with a link to them if there are any. */
const AppCount = ({ developerId, count }: { developerId: string; count: number }) =>
  count === 0 ? <>No apps</> : <Link href={`/apps?developer=${developerId}`}>{counted(count, 'app')}</Link>;

const DeveloperApps = ({ developer: { id, apps } }: { developer: DeveloperData }) => (
  <div>
    <h3>
      <AppCount developerId={id} count={apps.totalCount} />
    </h3>
    <ul class="plain">
      {apps.edges.map(({ node }) => (
        <li key={node.id} class="row">
          <Link href={`/apps/${node.id}`} dir="auto">
            {node.name}
          </Link>
          <StatusBadge status={node.status} />
        </li>
      ))}
    </ul>
  </div>
);
