import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';

const History = graphql(`
  query DeskDeveloperHistory($id: ID!) {
    apps: auditLog(first: 1, filter: { developerId: $id, eventKind: APP_APPROVED }) { totalCount }
    versions: auditLog(first: 1, filter: { developerId: $id, eventKind: VERSION_APPROVED }) { totalCount }
    rejectedApps: auditLog(first: 1, filter: { developerId: $id, eventKind: APP_REJECTED }) { totalCount }
    rejectedVersions: auditLog(first: 1, filter: { developerId: $id, eventKind: VERSION_REJECTED }) { totalCount }
    reports: auditLog(first: 1, filter: { developerId: $id, eventKind: APP_REPORTED }) { totalCount }
  }
`);

/** The outcomes of a developer's submissions in three figures. Their space is reserved while they load. */
export function DeveloperHistory({ id }: { id: string }) {
  const { data } = useData(History, { id });
  const figures = [
    { label: 'Approvals', value: data && data.apps.totalCount + data.versions.totalCount },
    { label: 'Rejections', value: data && data.rejectedApps.totalCount + data.rejectedVersions.totalCount },
    { label: 'Reports', value: data?.reports.totalCount },
  ];
  return (
    <dl class="history-figures" aria-label="History of the developer">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            {value ? (
              <Link href={`/audit?developer=${id}`}>{value.toLocaleString('en')}</Link>
            ) : (
              (value ?? '–')
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
