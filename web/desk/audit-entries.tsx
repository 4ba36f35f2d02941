import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { graphql } from '../client/graphql.ts';
import { wordsOf } from '../components/badge.tsx';
import { Changes } from '../components/changes.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { ExactTime } from '../components/when.tsx';
import { useAccountName } from './administrators.tsx';
import { auditSentences } from './audit-kinds.ts';
import { fieldName } from './field-names.ts';

export const AuditFields = graphql(`
  fragment DeskAuditEvent on AuditEvent {
    id
    at
    eventKind
    actorKind
    actorAccount
    actorKeyId
    appId
    app { name }
    developerId
    developer { name accountUserId }
    requestId
    before
    after
    data
  }
`);

type AuditEvent = ResultOf<typeof AuditFields>;

/** Entries of the audit log: sentences that say what happened, and what it changed. */
export const AuditEntries = ({ events }: { events: readonly AuditEvent[] }) => (
  <ol class="plain entries">
    {events.map((event) => (
      <li key={event.id}>
        <p class="tight">
          <Sentence event={event} />{' '}
          <small>
            <ExactTime at={event.at} />
          </small>
        </p>
        <EventDetails event={event} />
      </li>
    ))}
  </ol>
);

/** The sentence of an entry, with links to the app, the developer, and everything else that its actor did. */
const Sentence = ({ event }: { event: AuditEvent }) => (
  <>
    {auditSentences[event.eventKind].split(/(\{\w+\})/).map((part) => {
      if (part === '{actor}') return <Actor key={part} event={event} />;
      if (part === '{app}') return <AppName key={part} event={event} />;
      return part === '{developer}' ? <DeveloperName key={part} event={event} /> : part;
    })}
  </>
);

const AppName = ({ event: { appId, app } }: { event: AuditEvent }) =>
  appId ? (
    <Link href={`/apps/${appId}`} dir="auto">
      {app?.name ?? 'a deleted app'}
    </Link>
  ) : (
    <>an app</>
  );

const DeveloperName = ({ event: { developerId, developer } }: { event: AuditEvent }) =>
  developerId ? (
    <Link href={`/developers/${developerId}`} dir="auto">
      {developer?.name ?? 'a developer'}
    </Link>
  ) : (
    <>the administration</>
  );

/** The actor by name, if the name is known. The link shows everything that the same actor did. */
function Actor({ event }: { event: AuditEvent }) {
  const nameOf = useAccountName();
  const actor = event.actorAccount ?? event.actorKeyId;
  const name = actorName(event, nameOf);
  return actor ? (
    <Link href={`/audit?actor=${encodeURIComponent(actor)}`} title="Everything that they did">
      <strong dir="auto">{name}</strong>
    </Link>
  ) : (
    <strong>{name}</strong>
  );
}

function actorName(
  { actorKind, actorAccount, actorKeyId, developer, data }: AuditEvent,
  nameOf: (account: string) => string,
): string {
  if (actorKind === 'SYSTEM') return 'The marketplace';
  if (actorKeyId) return `An API key of ${developer?.name ?? 'a developer'}`;
  if (actorAccount && actorAccount === developer?.accountUserId) return developer.name;
  if (actorKind === 'ACCOUNT' && typeof data.authorName === 'string') return data.authorName;
  return actorAccount ? nameOf(actorAccount) : 'Somebody';
}

function EventDetails({ event: { before, after, data, requestId } }: { event: AuditEvent }) {
  const changes = changesBetween(before, after);
  const rest = Object.entries(data).filter(
    ([name, value]) => textOf(value) !== '' && !(after && name in after),
  );
  return (
    <Disclosure summary={summaryOf(changes, rest)}>
      {() => (
        <>
          {changes.length > 0 && <Changes changes={changes} />}
          <dl class="facts">
            {rest.map(([name, value]) => (
              <div key={name}>
                <dt>{fieldName(name)}</dt>
                <dd dir="auto" class="pre">
                  {textOf(value)}
                </dd>
              </div>
            ))}
            <div>
              <dt>Request</dt>
              <dd>
                <code>{requestId}</code>
              </dd>
            </div>
          </dl>
        </>
      )}
    </Disclosure>
  );
}

type Values = Record<string, unknown> | null;

const changesBetween = (before: Values, after: Values) =>
  [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
    .map((field) => ({
      field: fieldName(field),
      before: textOf(before?.[field]),
      after: textOf(after?.[field]),
    }))
    .filter((change) => change.before !== '' || change.after !== '');

const timeFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });

/** Returns values of enumerations in words, and times as those of the reader. */
function readable(text: string): string {
  if (/^[A-Z]{2,}(_[A-Z]+)+$|^[A-Z]{4,}$/.test(text)) return wordsOf(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) ? timeFormat.format(new Date(text)) : text;
}

/** Long texts are stored as an excerpt; empty lists are shown as nothing. */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return readable(value);
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value) && value.length === 0) return '';
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object'))
    return value.map(textOf).join(', ');
  if ('excerpt' in value) return `${value.excerpt}…`;
  return JSON.stringify(value, null, 2);
}

const MAX_SUMMARY_TEXT = 60;
const MAX_SUMMARY_PARTS = 4;
const ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

/** The changes in one line; long values are left to the details. */
function summaryOf(
  changes: readonly { field: string; before: string; after: string }[],
  rest: readonly [string, unknown][],
): string {
  const parts = [
    ...changes.map(({ field, before, after }) => {
      if (before.length + after.length > MAX_SUMMARY_TEXT) return field;
      return `${field}: ${before ? `${before} → ` : ''}${after || 'none'}`;
    }),
    // Ids tell nobody anything in a line; the details have them.
    ...rest
      .filter(([, value]) => !ID.test(textOf(value)))
      .map(([name, value]) => {
        const text = textOf(value);
        return text.length > MAX_SUMMARY_TEXT || text.includes('\n')
          ? fieldName(name)
          : `${fieldName(name)}: ${text}`;
      }),
  ];
  return parts.slice(0, MAX_SUMMARY_PARTS).join(' · ') || 'Details';
}
