import { Link, useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Pages } from '../components/pages.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { FilterAdministrator } from './administrators.tsx';
import { AuditEntries, AuditFields } from './audit-entries.tsx';
import { auditKinds, kindName } from './audit-kinds.ts';
import { FilterChoice, FilterText, useFilters } from './filters.tsx';
import { oneOf } from './queue-filter.ts';

const AuditLog = graphql(
  `
  query DeskAuditLog($filter: AuditLogFilter, $after: String) {
    auditLog(first: 50, filter: $filter, after: $after) {
      totalCount
      edges { node { ...DeskAuditEvent } }
      pageInfo { hasNextPage endCursor }
    }
  }
`,
  [AuditFields],
);

/** Returns the first moment of a day of the address, in the time zone of the reader. */
const startOf = (day: string | null, addedDays = 0): string | null => {
  const at = new Date(`${day}T00:00`);
  at.setDate(at.getDate() + addedDays);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
};

/** The audit log with filters in the address. */
export function AuditPage() {
  useTitle('Audit log · Review desk');
  const [params] = useSearchParams();
  const log = useData(AuditLog, {
    filter: {
      eventKind: oneOf(auditKinds, params.get('kind')),
      actor: params.get('actor'),
      appId: params.get('app'),
      developerId: params.get('developer'),
      from: startOf(params.get('from')),
      to: startOf(params.get('to'), 1),
    },
    after: params.get('after'),
  });
  return (
    <section class="stack">
      <h1>Audit log</h1>
      <search class="row filters" aria-label="Filters">
        <FilterChoice
          name="kind"
          label="Kind"
          values={auditKinds}
          all="All events"
          isGrouped
          nameOf={kindName}
        />
        <FilterAdministrator name="actor" label="Administrator" all="Anyone" />
        <FilterText name="actor" label="Account or key id" maxLength={200} />
        <FilterDay name="from" label="From" />
        <FilterDay name="to" label="To" />
        <SubjectFilter name="app" />
        <SubjectFilter name="developer" />
      </search>
      {!params.has('app') && !params.has('developer') && (
        <p class="soft tight">
          For the entries of one <Link href="/apps">app</Link> or <Link href="/developers">developer</Link>,
          open its page.
        </p>
      )}
      <Loaded from={log}>
        {({ auditLog: { edges, totalCount, pageInfo } }) => (
          <div class="card">
            {edges.length === 0 ? (
              <Empty>No entry matches these filters.</Empty>
            ) : (
              <AuditEntries events={edges.map(({ node }) => node)} />
            )}
            <Pages shown={edges.length} total={totalCount} pageInfo={pageInfo} />
          </div>
        )}
      </Loaded>
    </section>
  );
}

const Subjects = graphql(`
  query DeskAuditSubjects($app: ID!, $developer: ID!, $hasApp: Boolean!, $hasDeveloper: Boolean!) {
    adminApp(id: $app) @include(if: $hasApp) { name }
    developer(id: $developer) @include(if: $hasDeveloper) { name }
  }
`);

/** Names the app or developer whose entries are shown, and shows all again. */
function SubjectFilter({ name }: { name: 'app' | 'developer' }) {
  const [params, set] = useFilters();
  const id = params.get(name);
  const { data } = useData(
    Subjects,
    { app: id ?? '', developer: id ?? '', hasApp: name === 'app', hasDeveloper: name === 'developer' },
    { pause: id === null },
  );
  if (id === null) return null;
  const subject = name === 'app' ? data?.adminApp : data?.developer;
  return (
    <button type="button" class="switch" aria-pressed onClick={() => set(name, null)}>
      Only <bdi>{subject?.name ?? `this ${name}`}</bdi> ✕
    </button>
  );
}

function FilterDay({ name, label }: { name: string; label: string }) {
  const [params, set] = useFilters();
  return (
    <label class="row">
      {label}
      <input
        class="filter"
        type="date"
        value={params.get(name) ?? ''}
        onChange={({ currentTarget }) => set(name, currentTarget.value)}
      />
    </label>
  );
}
