import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Back } from '../components/back.tsx';
import { Badge } from '../components/badge.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { useAccount } from './administrators.tsx';
import { AuditEntries, AuditFields } from './audit-entries.tsx';
import { DeveloperActions } from './developer-actions.tsx';
import { DeveloperAppFields, DeveloperAppsTable } from './developer-apps.tsx';
import { DeveloperHistory } from './developer-history.tsx';
import { DeveloperFacts, Lookalikes } from './developer-summary.tsx';
import { VerificationDue } from './developers.tsx';
import { NextToVerify } from './next-to-verify.tsx';

const DeveloperPageData = graphql(
  `
  query DeskDeveloper($id: ID!) {
    developer(id: $id) {
      id
      accountUserId
      name
      companyName
      email
      emailProven
      emailLost
      websiteUrl
      bio
      status
      lookalikes { id name companyName status }
      createdAt
      updatedAt
      verifiedAt
      verification { position ahead dueAt }
      apps(first: 50) {
        totalCount
        edges { node { ...DeskDeveloperApp } }
      }
    }
    auditLog(first: 5, filter: { developerId: $id }) {
      totalCount
      edges { node { ...DeskAuditEvent } }
    }
  }
`,
  [AuditFields, DeveloperAppFields],
);

type DeveloperDetails = NonNullable<ResultOf<typeof DeveloperPageData>['developer']>;

/** A developer, with everything that is known of them. */
export function DeveloperPage({ id }: { id: string }) {
  const developer = useData(DeveloperPageData, { id });
  useTitle(`${developer.data?.developer?.name ?? 'Developer'} · Review desk`);
  return (
    <Loaded from={developer}>
      {({ developer: found, auditLog }) =>
        found ? (
          <div class="stack">
            <DeveloperHeader developer={found} />
            <div class="row apart">
              <DeveloperActions developer={found} onDone={developer.reload} />
              <NextToVerify id={id} status={found.status} />
            </div>
            <DeveloperProfile developer={found} />
            <DeveloperAppsTable
              developerId={id}
              count={found.apps.totalCount}
              apps={found.apps.edges.map(({ node }) => node)}
            />
            <section class="card stack tight" aria-labelledby="audit">
              <h2 id="audit">Audit log</h2>
              <AuditEntries events={auditLog.edges.map(({ node }) => node)} />
              {auditLog.totalCount > auditLog.edges.length && (
                <p class="tight">
                  <Link href={`/audit?developer=${id}`}>All {auditLog.totalCount} entries</Link>
                </p>
              )}
            </section>
          </div>
        ) : (
          <Empty>This developer does not exist.</Empty>
        )
      }
    </Loaded>
  );
}

function DeveloperHeader({ developer }: { developer: DeveloperDetails }) {
  const account = useAccount();
  return (
    <header>
      <Back to="/developers">Developers</Back>
      <h1 class="row tight">
        <bdi>{developer.name}</bdi> <Badge value={developer.status} />
      </h1>
      {developer.verification && (
        <p class="soft tight">
          Number {developer.verification.position} in the verification queue{' '}
          <VerificationDue at={developer.verification.dueAt} prefix="· due " />
        </p>
      )}
      {account === developer.accountUserId && (
        <p class="note warn">This is your own account: another administrator must verify or reinstate it.</p>
      )}
    </header>
  );
}

const DeveloperProfile = ({ developer }: { developer: DeveloperDetails }) => (
  <section class="card stack" aria-labelledby="profile">
    <h2 id="profile">Profile</h2>
    <DeveloperHistory id={developer.id} />
    <Lookalikes developers={developer.lookalikes} />
    <DeveloperFacts developer={developer} />
  </section>
);
