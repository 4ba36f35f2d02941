import { useState } from 'preact/hooks';
import { useCreation } from '../client/creation.ts';
import { useChange, useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { fieldProblems } from '../client/problems.ts';
import { Form, SelectField, TextField, useAttempt } from '../components/form.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded, Problems } from '../components/status.tsx';
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
      <section class="card stack">
        <h2>Trusted pipelines</h2>
        <p class="soft">
          A pipeline that is trusted publishes this app without a stored secret: its forge proves which
          repository and workflow it is. Whoever can change that workflow can change and submit the app.
        </p>
        <Loaded from={publishers}>
          {({ trustedPublishers }) => (
            <>
              {trustedPublishers.length === 0 && <Empty>No pipeline is trusted yet.</Empty>}
              <ul class="plain rows">
                {trustedPublishers.map((publisher) => (
                  <PublisherItem key={publisher.id} publisher={publisher} onRemoved={publishers.reload} />
                ))}
              </ul>
            </>
          )}
        </Loaded>
      </section>
      {isVerified && <AddPublisherForm appId={app.id} onAdded={publishers.reload} />}
      <section class="card stack">
        <h2>Lines to publish this app</h2>
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

function AddPublisherForm({ appId, onAdded }: { appId: string; onAdded: () => void }) {
  const [values, setValues] = useState(nothing);
  const [add, isAdding] = useCreation(AddPublisher);
  const { attempt, problems } = useAttempt();
  const set = (changed: Partial<typeof nothing>) => setValues({ ...values, ...changed });
  const submit = async () => {
    const { forge, issuer, repository, workflow, environment } = values;
    const input = {
      issuer: forge === 'other' ? issuer : forge,
      repository: repository.trim(),
      workflow: workflow.trim() || null,
      environment: environment.trim() || null,
    };
    if (!(await attempt(add({ appId, input }), 'The pipeline is trusted.'))) return;
    setValues(nothing);
    onAdded();
  };
  return (
    <details class="card">
      <summary>
        <h2>Trust a pipeline</h2>
      </summary>
      <Form
        fields={['issuer', 'repository', 'workflow', 'environment']}
        problems={problems}
        onSubmit={() => void submit()}
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
            problems={fieldProblems(problems, 'issuer')}
          />
        )}
        <TextField
          label="Repository"
          hint="Its full name, exactly as the forge spells it, such as acme/notes."
          value={values.repository}
          onChange={(repository) => set({ repository })}
          problems={fieldProblems(problems, 'repository')}
        />
        <TextField
          label="Workflow"
          hint="The file of the workflow. Empty: any workflow that uses the environment."
          value={values.workflow}
          onChange={(workflow) => set({ workflow })}
          problems={fieldProblems(problems, 'workflow')}
        />
        <TextField
          label="Environment"
          hint="A deployment environment that the forge protects. Empty: none is needed."
          value={values.environment}
          onChange={(environment) => set({ environment })}
          problems={fieldProblems(problems, 'environment')}
        />
        <button type="submit" class="primary" disabled={isAdding}>
          Trust this pipeline
        </button>
      </Form>
    </details>
  );
}
