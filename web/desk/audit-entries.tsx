import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { graphql } from '../client/graphql.ts';
import { wordsOf } from '../components/badge.tsx';
import { Changes } from '../components/changes.tsx';
import { Disclosure } from '../components/disclosure.tsx';
import { ExactTime } from '../components/when.tsx';
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
    developer { name }
    requestId
    before
    after
    data
  }
`);

type AuditEvent = ResultOf<typeof AuditFields>;

/** Entries of the audit log: what happened, by whom, and what it changed. */
export const AuditEntries = ({ events }: { events: readonly AuditEvent[] }) => (
  <ol class="plain entries">
    {events.map((event) => (
      <li key={event.id}>
        <p class="row tight">
          <strong>{wordsOf(event.eventKind)}</strong>
          <small>
            <ExactTime at={event.at} /> by <Actor event={event} />
          </small>
          {event.appId && (
            <Link href={`/apps/${event.appId}`} dir="auto">
              {event.app?.name ?? 'App'}
            </Link>
          )}
          {event.developerId && (
            <Link href={`/developers/${event.developerId}`} dir="auto">
              {event.developer?.name ?? 'Developer'}
            </Link>
          )}
        </p>
        <EventDetails event={event} />
      </li>
    ))}
  </ol>
);

const Actor = ({ event: { actorKind, actorAccount, actorKeyId } }: { event: AuditEvent }) => {
  const actor = actorAccount ?? actorKeyId;
  return (
    <>
      {wordsOf(actorKind).toLowerCase()}
      {actor && (
        <>
          {' '}
          <Link href={`/audit?actor=${encodeURIComponent(actor)}`}>{actor}</Link>
        </>
      )}
    </>
  );
};

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
