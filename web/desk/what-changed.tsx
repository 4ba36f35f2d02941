import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { Changes } from '../components/changes.tsx';
import { isPictureField, PictureChanges } from '../components/picture-changes.tsx';
import { Problems } from '../components/status.tsx';
import { fieldName, named } from './field-names.ts';
import { LastRejection } from './last-rejection.tsx';
import { lastRejectionOf, permissionOf, type ReviewItem } from './review-data.ts';

const Rebase = graphql(`
  mutation DeskRebase($id: ID!) {
    rebaseAppVersion(id: $id) { id revision conflicts { field base live proposed } }
  }
`);

/** The difference to what was last reviewed, or of a version to the live listing, and what the last rejection asked for. */
export const WhatChanged = ({ item, reload }: { item: ReviewItem; reload: () => void }) => {
  const rejection = lastRejectionOf(item);
  return (
    <>
      <RebaseOffer item={item} reload={reload} />
      {rejection && (
        <LastRejection
          rejection={rejection}
          changes={item.lastReviewedRevision === null ? null : item.changes}
        />
      )}
      {(item.version || item.lastReviewedRevision !== null) && (
        <section class="card" aria-labelledby="changes">
          <h2 id="changes">
            {item.lastReviewedRevision === null
              ? 'Changes from the live listing'
              : 'Changes since the last decision'}
          </h2>
          {item.changes.length === 0 ? (
            <p class="soft tight">Nothing has changed.</p>
          ) : (
            <div class="stack">
              <Changes changes={named(item.changes.filter(({ field }) => !isPictureField(field)))} />
              <PictureChanges
                changes={item.changes.filter(({ field }) => isPictureField(field))}
                nameOf={fieldName}
              />
            </div>
          )}
        </section>
      )}
    </>
  );
};

/** Offers to rebase a version whose app was edited since it was begun, and shows where both changed a field. */
function RebaseOffer({ item: { version }, reload }: { item: ReviewItem; reload: () => void }) {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [rebase, isRebasing] = useChange(Rebase);
  if (!version) return null;
  const approval = version.allowedActions.find(({ action }) => action === 'approveAppVersion');
  const isOutdated = approval?.code === 'REVISION_CONFLICT';
  const { isAllowed, message } = permissionOf(version.allowedActions, 'rebaseAppVersion');
  const onRebase = async () => {
    const outcome = await rebase({ id: version.id });
    setProblems(outcome.problems);
    if (outcome.data) announce('The version now includes the live changes. Review it again.');
    reload();
  };
  return (
    <>
      {isOutdated && (
        <section class="note warn">
          <p>{approval.message}</p>
          <button type="button" disabled={!isAllowed || isRebasing} onClick={() => void onRebase()}>
            Include the live changes
          </button>
          {!isAllowed && <p>{message}</p>}
          <Problems problems={problems} />
        </section>
      )}
      {version.conflicts.length > 0 && <Conflicts conflicts={version.conflicts} />}
    </>
  );
}

const Conflicts = ({ conflicts }: { conflicts: NonNullable<ReviewItem['version']>['conflicts'] }) => (
  <section class="card" aria-labelledby="conflicts">
    <h2 id="conflicts">Changed by the developer and by an administrator</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">Live now</th>
            <th scope="col">In this version</th>
          </tr>
        </thead>
        <tbody>
          {conflicts.map(({ field, base, live, proposed }) => (
            <tr key={field}>
              <th scope="row">{fieldName(field)}</th>
              <td dir="auto">{base}</td>
              <td dir="auto">{live}</td>
              <td dir="auto">{proposed}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
);
