import type { ResultOf } from 'gql.tada';
import { Link } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { withoutField } from '../client/words.ts';
import { StatusBadge, statusWords, wordsOf } from '../components/badge.tsx';
import { counted } from '../components/counted.ts';
import { requestOf } from '../components/field-form.tsx';
import { Logo } from '../components/picture.tsx';
import { useTitle } from '../components/shell.tsx';
import { Loaded, NothingYet } from '../components/status.tsx';
import { AllowedActionFields } from './action-button.tsx';
import { labelOf } from './listing.ts';
import { isUnsaved } from './listing-draft.ts';
import { placeText, QueuePlaceFields } from './queue-place.tsx';
import { Verification } from './verification.tsx';

const Apps = graphql(
  `
    query ConsoleApps {
      myApps {
        id
        name
        slug
        logoUrl
        status
        environment
        installCount
        averageRating
        reviewCount
        findings {
          field
          severity
          message
        }
        rejection {
          reasons {
            addressed
          }
        }
        allowedActions {
          ...AllowedActionFields
        }
        review {
          ...QueuePlaceFields
        }
        openVersion {
          id
          status
        }
      }
    }
  `,
  [AllowedActionFields, QueuePlaceFields],
);
type AppItemData = ResultOf<typeof Apps>['myApps'][number];

/** The developer's apps, each with its state and the next step. */
export function AppsPage() {
  useTitle('Apps · Developer console');
  const apps = useData(Apps, {});
  return (
    <div class="stack">
      <header class="row apart">
        <h1>Your apps</h1>
        {apps.data?.myApps.length !== 0 && (
          <Link class="button primary" href="/new">
            New app
          </Link>
        )}
      </header>
      <Verification />
      <Loaded from={apps}>
        {({ myApps }) =>
          myApps.length === 0 ? (
            <NothingYet>
              <p>
                You have no apps yet. Your first one stays private until you submit it and it is approved.
              </p>
              <Link class="button primary" href="/new">
                New app
              </Link>
            </NothingYet>
          ) : (
            <ul class="plain stack">
              {myApps.map((app) => (
                <AppItem key={app.id} app={app} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </div>
  );
}

const AppItem = ({ app }: { app: AppItemData }) => (
  <li class="card app-item">
    <Logo url={app.logoUrl} name={app.name} />
    <div>
      <h2>
        <Link href={`/apps/${app.id}`} dir="auto">
          {app.name}
        </Link>
      </h2>
      <p class="row">
        <StatusBadge status={app.status} />
        {app.openVersion && (
          <span class="badge info">Version: {statusWords(app.openVersion.status).toLowerCase()}</span>
        )}
        {app.environment !== 'production' && <span class="badge">{wordsOf(app.environment)}</span>}
        <FindingCount findings={app.findings} />
        {[app.id, app.openVersion?.id].some((id) => id && isUnsaved(id)) && (
          <span class="badge warn">Not saved</span>
        )}
      </p>
    </div>
    <NextStep text={nextStep(app)} isWaiting={[app.status, app.openVersion?.status].includes('PENDING')} />
    {app.status === 'APPROVED' && (
      <Link class="figures" href={`/apps/${app.id}/analytics`}>
        <span>{counted(app.installCount, 'install')}</span>{' '}
        <span>
          {app.reviewCount > 0 ? `★ ${app.averageRating.toFixed(1)} (${app.reviewCount})` : 'No ratings'}
        </span>
      </Link>
    )}
  </li>
);

const NextStep = ({ text, isWaiting }: { text: string; isWaiting: boolean }) => (
  <p class="next">
    {text && (
      <>
        <small>{isWaiting ? 'Review' : 'Next step'}</small> {text}
      </>
    )}
  </p>
);

function FindingCount({ findings }: { findings: AppItemData['findings'] }) {
  const errors = findings.filter(({ severity }) => severity === 'ERROR').length;
  const warnings = findings.length - errors;
  return (
    <>
      {errors > 0 && <span class="badge bad">{counted(errors, 'problem')}</span>}
      {warnings > 0 && <span class="badge warn">{counted(warnings, 'warning')}</span>}
    </>
  );
}

/** The page says above the list what an account that is not verified waits for. */
const NOT_VERIFIED = 'DEVELOPER_NOT_VERIFIED';

/** Returns what the developer can do next, in the words of the service where it has a reason. */
function nextStep(app: AppItemData): string {
  const action = (name: string) => app.allowedActions.find((each) => each.action === name);
  if (app.status === 'PENDING') return app.review ? placeText(app.review) : 'It is in review.';
  if (app.status === 'SUSPENDED') return action('updateApp')?.message ?? 'An administrator took it down.';
  if (app.status === 'APPROVED') return app.openVersion ? versionSteps[app.openVersion.status] : '';
  const left = app.rejection?.reasons.filter(({ addressed }) => !addressed).length ?? 0;
  if (left > 0) return `Fix ${left === 1 ? 'the reason' : `the ${left} reasons`} for the rejection.`;
  const submit = action('submitApp');
  if (submit?.allowed) return 'It is ready: submit it for review.';
  const error = app.findings.find(({ severity }) => severity === 'ERROR');
  if (error && (submit?.code === 'VALIDATION_FAILED' || submit?.code === NOT_VERIFIED)) return stepOf(error);
  return submit?.code === NOT_VERIFIED ? '' : (submit?.message ?? '');
}

function stepOf({ field, message }: { field: string; message: string }): string {
  const said = withoutField(field, message);
  return requestOf(field, said) ?? `Fix ${labelOf(field.split('.')[0] ?? '')}: ${said}`;
}

const versionSteps: Record<NonNullable<AppItemData['openVersion']>['status'], string> = {
  DRAFT: 'Complete the new version and submit it.',
  PENDING: 'The new version is in review.',
  REJECTED: 'The new version was rejected: fix the reasons.',
  APPROVED: '',
  DISCARDED: '',
};
