import { useCreation } from '../client/creation.ts';
import { useChange, useData } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { CreationPanel } from '../components/creation-panel.tsx';
import { FieldForm, requestsAt } from '../components/field-form.tsx';
import { SelectField, TextField, useAttempt } from '../components/form.tsx';
import { useTitle } from '../components/shell.tsx';
import { Loaded, NothingYet, Problems } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import type { AppData } from './app-data.ts';
import { useDeveloper } from './developer.tsx';
import { gitHubWorkflow, gitLabJob, PublishLines, terminalLines } from './publish-lines.tsx';

const Publishers = graphql(`
  query ConsolePublishers($appId: ID!) {
    trustedPublishers(appId: $appId) {
      id
      issuer
      repository
      workflow
      environment
      lastUsedAt
    }
  }
`);
const AddPublisher = graphql(`
  mutation ConsoleAddPublisher($appId: ID!, $input: AddTrustedPublisherInput!) {
    addTrustedPublisher(appId: $appId, input: $input) {
      id
    }
  }
`);
const RemovePublisher = graphql(`
  mutation ConsoleRemovePublisher($id: ID!) {
    removeTrustedPublisher(id: $id) {
      id
    }
  }
`);

const gitHub = 'https://token.actions.githubusercontent.com';
const gitLab = 'https://gitlab.com';
const forges = { [gitHub]: 'GitHub Actions', [gitLab]: 'GitLab.com', other: 'Another issuer' };
const nameOf = (issuer: string) =>
  issuer === 'other' ? issuer : (forges[issuer as keyof typeof forges] ?? issuer);

/** The pipelines that may publish an app, and the lines that publish it. */
export function PipelinesPage({ app }: { app: AppData }) {
  useTitle(`Pipelines of ${app.name} · Developer console`);
  const publishers = useData(Publishers, { appId: app.id });
  const isVerified = useDeveloper().status === 'VERIFIED';
  return (
    <>
      <header>
        <h2>Publish from a pipeline</h2>
        <p class="soft tight">
          A trusted pipeline publishes this app without a stored secret: GitHub or GitLab proves which
          repository and workflow is running. Whoever can change that workflow can change and submit the app.
        </p>
      </header>
      <ol class="steps-row">
        <li class="card">
          <h3>Trust the repository</h3>
          <p class="tight">Say which repository, workflow and environment may publish.</p>
        </li>
        <li class="card">
          <h3>Add the job</h3>
          <p class="tight">Copy a script from below into the repository, together with marketplace.json.</p>
        </li>
        <li class="card">
          <h3>Push a tag</h3>
          <p class="tight">The job saves the listing, submits it, and fails with the reason if it cannot.</p>
        </li>
      </ol>
      <Loaded from={publishers}>
        {({ trustedPublishers }) => (
          <>
            {isVerified && (
              <AddPublisherForm
                appId={app.id}
                isEmpty={trustedPublishers.length === 0}
                onAdded={publishers.reload}
              />
            )}
            {trustedPublishers.length > 0 && (
              <section class="card">
                <h2>Trusted pipelines</h2>
                <ul class="plain rows">
                  {trustedPublishers.map((publisher) => (
                    <PublisherItem key={publisher.id} publisher={publisher} onRemoved={publishers.reload} />
                  ))}
                </ul>
              </section>
            )}
            {!isVerified && <NothingYet>You can trust pipelines when your account is verified.</NothingYet>}
          </>
        )}
      </Loaded>
      <section class="card stack">
        <h2>Ready-made scripts</h2>
        <p class="tight">
          They read <code>marketplace.json</code>, a file with the listing. The line with <code>init</code>{' '}
          writes it from the listing as it is now.
        </p>
        <PublishLines title="In a terminal" text={terminalLines('mkt_…', app.slug)} />
        <PublishLines title="GitHub: .github/workflows/marketplace.yml" text={gitHubWorkflow()} />
        <PublishLines title="GitLab: .gitlab-ci.yml" text={gitLabJob()} />
      </section>
    </>
  );
}

type Publisher = import('gql.tada').ResultOf<typeof Publishers>['trustedPublishers'][number];

function PublisherItem({ publisher, onRemoved }: { publisher: Publisher; onRemoved: () => void }) {
  const [remove, isRemoving] = useChange(RemovePublisher);
  const { attempt, problems } = useAttempt();
  const { id, issuer, repository, workflow, environment, lastUsedAt } = publisher;
  const run = async () => {
    if (await attempt(remove({ id }), 'The pipeline is not trusted any more.')) onRemoved();
  };
  return (
    <li class="key">
      <div class="key-text">
        <h3>{repository}</h3>
        <p>
          {[nameOf(issuer), workflow && `workflow ${workflow}`, environment && `environment ${environment}`]
            .filter(Boolean)
            .join(', ')}
        </p>
        <small>
          {lastUsedAt ? (
            <>
              Last used <When at={lastUsedAt} />
            </>
          ) : (
            'Never used'
          )}
        </small>
        <Problems problems={problems} />
      </div>
      <button type="button" class="danger" disabled={isRemoving} onClick={() => void run()}>
        Remove<span class="hidden"> {repository}</span>
      </button>
    </li>
  );
}

const nothing = {
  forge: gitHub,
  issuer: '',
  repository: '',
  workflow: 'marketplace.yml',
  environment: 'marketplace',
};

interface AddPublisherFormProps {
  appId: string;
  /** True if no pipeline is trusted yet. */
  isEmpty: boolean;
  onAdded: () => void;
}

function AddPublisherForm({ appId, isEmpty, onAdded }: AddPublisherFormProps) {
  const [values, setValues, clear] = useDraft(`new-publisher:${appId}`, nothing);
  const [add, isAdding] = useCreation(AddPublisher);
  const { attempt, problems } = useAttempt();
  const set = (changed: Partial<typeof nothing>) => setValues({ ...values, ...changed });
  const submit = async (close: () => void) => {
    const { forge, issuer, repository, workflow, environment } = values;
    const input = {
      issuer: forge === 'other' ? issuer : forge,
      repository: repository.trim(),
      workflow: workflow.trim() || null,
      environment: environment.trim() || null,
    };
    if (!(await attempt(add({ appId, input }), 'The pipeline is trusted.'))) return;
    clear();
    close();
    onAdded();
  };
  return (
    <CreationPanel title="Trust a pipeline" empty={isEmpty && 'No pipeline is trusted yet.'}>
      {(close, cancel) => (
        <FieldForm
          fields={['issuer', 'repository', 'workflow', 'environment']}
          problems={problems}
          onSubmit={() => void submit(close)}
        >
          <SelectField
            label="Where it runs"
            options={forges}
            value={values.forge}
            onChange={(forge) =>
              set({ forge, workflow: forge === gitLab ? '.gitlab-ci.yml' : 'marketplace.yml' })
            }
          />
          {values.forge === 'other' && (
            <TextField
              label="Issuer"
              hint="Address of the issuer of identity tokens. The marketplace must accept it."
              type="url"
              value={values.issuer}
              onChange={(issuer) => set({ issuer })}
              problems={requestsAt(problems, 'issuer')}
            />
          )}
          <TextField
            label="Repository"
            hint="Its full name, exactly as it is spelled there, such as acme/notes."
            value={values.repository}
            onChange={(repository) => set({ repository })}
            problems={requestsAt(problems, 'repository')}
          />
          <TextField
            label="Workflow"
            isOptional
            hint="The file of the workflow. If it is empty, any workflow that uses the environment is trusted."
            value={values.workflow}
            onChange={(workflow) => set({ workflow })}
            problems={requestsAt(problems, 'workflow')}
          />
          <TextField
            label="Environment"
            isOptional
            hint="A protected deployment environment. If it is empty, none is needed."
            value={values.environment}
            onChange={(environment) => set({ environment })}
            problems={requestsAt(problems, 'environment')}
          />
          <div class="row">
            <button type="submit" class="primary" disabled={isAdding}>
              Trust this pipeline
            </button>
            {cancel}
          </div>
        </FieldForm>
      )}
    </CreationPanel>
  );
}
