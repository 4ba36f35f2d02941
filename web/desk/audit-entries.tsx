import type { ResultOf } from 'gql.tada';
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { graphql } from '../client/graphql.ts';
import { Changes } from '../components/changes.tsx';
import { Icon } from '../components/icon.tsx';
import { ClockTime, dayOf } from '../components/when.tsx';
import { useAccountName } from './administrators.tsx';
import { changesBetween, quotationOf, summaryOf, textOf } from './audit-facts.ts';
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

/** Entries of the audit log by day: sentences that say what happened, and what it changed. */
export const AuditEntries = ({ events }: { events: readonly AuditEvent[] }) => (
  <>
    {[...Map.groupBy(events, ({ at }) => dayOf(at))].map(([day, some]) => (
      <section key={day} class="audit-day" aria-label={day}>
        <p class="soft tight">{day}</p>
        <ol class="plain entries">
          {some.map((event) => (
            <Entry key={event.id} event={event} />
          ))}
        </ol>
      </section>
    ))}
  </>
);

/** The sentence of an entry, with links to the app, the developer, and everything else that its actor did. */
const Sentence = ({ event }: { event: AuditEvent }) => (
  <>
    {partsOf(auditSentences[event.eventKind]).map((part, index) => {
      if (part === '{actor}') return <Actor key={part} event={event} />;
      if (part === '{app}') return <AppName key={part} event={event} />;
      if (part !== '{developer}') return part;
      // A sentence that begins with the developer is about what they did.
      const Name = index === 0 ? 'strong' : 'span';
      return (
        <Name key={part}>
          <DeveloperName event={event} />
        </Name>
      );
    })}
  </>
);

const partsOf = (sentence: string) => sentence.split(/(\{\w+\})/).filter((part) => part !== '');

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
    <strong dir="auto">
      <Link href={`/audit?actor=${encodeURIComponent(actor)}`}>{name}</Link>
    </strong>
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

/** An entry with what somebody wrote. A click on it opens its details; its button is for the keyboard. */
function Entry({ event }: { event: AuditEvent }) {
  const [isOpen, setIsOpen] = useState(false);
  const { before, after, data } = event;
  const quotation = quotationOf(after, data);
  const changes = changesBetween(before, after).filter(({ name }) => name !== quotation?.name);
  const rest = Object.entries(data).filter(
    ([name, value]) => textOf(value) !== '' && name !== quotation?.name && !(after && name in after),
  );
  const summary = summaryOf(changes, rest, [event.app?.name, event.developer?.name]);
  return (
    <li class="audit-entry">
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Icon name="next" />
        <ClockTime at={event.at} />
        <span class="hidden">, details</span>
      </button>
      <div>
        <p class="tight">
          <Sentence event={event} />
        </p>
        {quotation && (
          <blockquote class="quotation pre" dir="auto">
            {quotation.text}
          </blockquote>
        )}
        {summary && <small class="below">{summary}</small>}
        {isOpen && (
          <>
            {changes.length > 0 && <Changes changes={changes} />}
            <Facts rest={rest} requestId={event.requestId} />
          </>
        )}
      </div>
    </li>
  );
}

interface FactsProps {
  rest: readonly [string, unknown][];
  requestId: AuditEvent['requestId'];
}

const Facts = ({ rest, requestId }: FactsProps) => (
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
);
