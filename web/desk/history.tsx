import { Badge, wordsOf } from '../components/badge.tsx';
import { Changes } from '../components/changes.tsx';
import { counted } from '../components/counted.ts';
import { Disclosure } from '../components/disclosure.tsx';
import { When } from '../components/when.tsx';
import { AccountName } from './administrators.tsx';
import { isImplied } from './audit-facts.ts';
import { timelineSentence } from './audit-kinds.ts';
import { fieldName, named } from './field-names.ts';
import type { HistoryData, RejectionData } from './review-data.ts';

/** Earlier submissions with their outcomes, and everything that happened to the app. */
export const History = ({ of }: { of: HistoryData }) => (
  <>
    <Submissions submissions={of.submissions} />
    <Timeline timeline={of.timeline} />
  </>
);

const Submissions = ({ submissions: { edges, totalCount } }: Pick<HistoryData, 'submissions'>) => (
  <section class="card" aria-labelledby="submissions">
    <h2 id="submissions">{counted(totalCount, 'submission')}</h2>
    <ol class="plain entries">
      {edges.map(({ node }) => (
        <li key={node.id}>
          <p class="row tight">
            <Badge value={node.outcome ?? 'IN_REVIEW'} />
            {node.version ? <VersionName number={node.version.versionNumber} /> : <span>App</span>}
            <small>
              <When at={node.decidedAt ?? node.submittedAt} />
              {node.reviewer && (
                <>
                  {' '}
                  by <AccountName id={node.reviewer} />
                </>
              )}
            </small>
          </p>
          {node.note && (
            <p class="tight" dir="auto">
              {node.note}
            </p>
          )}
          {node.rejection && <Reasons {...node.rejection} />}
        </li>
      ))}
    </ol>
  </section>
);

/** A version by its number, if the developer gave it one. */
export const VersionName = ({ number }: { number: string | null }) => (
  <span>
    {number ? (
      <>
        Version <bdi>{number}</bdi>
      </>
    ) : (
      'New version'
    )}
  </span>
);

const Reasons = ({ reasons, guidance }: Pick<RejectionData, 'reasons' | 'guidance'>) => (
  <>
    <ul>
      {reasons.map(({ code, field, message }) => (
        <li key={code + field + message} dir="auto">
          <strong>
            {wordsOf(code)}
            {field && `, ${fieldName(field)}`}:
          </strong>{' '}
          {message}
        </li>
      ))}
    </ul>
    <p class="soft tight" dir="auto">
      {guidance}
    </p>
  </>
);

const Timeline = ({ timeline: { edges, totalCount } }: Pick<HistoryData, 'timeline'>) => (
  <section class="card" aria-labelledby="timeline">
    <h2 id="timeline">Timeline</h2>
    {totalCount > edges.length && (
      <p class="soft tight">
        The newest {edges.length} of {totalCount}.
      </p>
    )}
    <ol class="plain entries">
      {edges.toReversed().map(({ node }) => (
        <li key={node.id}>
          <TimelineEntry entry={node} />
        </li>
      ))}
    </ol>
  </section>
);

type Entry = HistoryData['timeline']['edges'][number]['node'];

/** A sentence that says what happened. What it changed opens with a click on it. */
function TimelineEntry({ entry }: { entry: Entry }) {
  const { at, by, eventKind, message, reasons } = entry;
  // The first name is that of the page.
  const changes = entry.changes.filter(
    ({ field, before }) => !isImplied(field) && !(field === 'name' && before === null),
  );
  const sentence = (
    <>
      {timelineSentence(eventKind, by)}
      {changes.length > 0 && `: ${changes.map(({ field }) => fieldName(field)).join(', ')}`}{' '}
      <small>
        <When at={at} />
      </small>
    </>
  );
  return (
    <>
      {changes.length === 0 ? (
        <p class="tight">{sentence}</p>
      ) : (
        <Disclosure summary={sentence}>{() => <Changes changes={named(changes)} />}</Disclosure>
      )}
      {reasons.length > 0 && <p class="tight soft">{reasons.map(({ code }) => wordsOf(code)).join(', ')}</p>}
      {message && (
        <p class="quotation pre" dir="auto">
          {message}
        </p>
      )}
    </>
  );
}
