import { useCreation } from '../client/creation.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { CreationPanel } from '../components/creation-panel.tsx';
import { FieldForm, requestsAt } from '../components/field-form.tsx';
import { SelectField, TextField, useAttempt } from '../components/form.tsx';

const CreateApiKey = graphql(`
  mutation ConsoleCreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      id
      name
      key
    }
  }
`);

type Scope = ReturnType<typeof graphql.scalar<'Scope'>>;

/** The permissions of keys, with what they allow. The type makes sure that none is missing. */
export const scopes: Record<Scope, { name: string; text: string }> = {
  APP_READ: { name: 'Read apps', text: 'List and read your apps and webhooks.' },
  APP_CREATE: { name: 'Create apps', text: 'Start drafts of new apps.' },
  APP_UPDATE: { name: 'Change apps', text: 'Change, submit and withdraw your apps.' },
  APP_DELETE: { name: 'Delete apps', text: 'Delete apps that were never public.' },
  ANALYTICS_READ: { name: 'Read analytics', text: 'Read how your apps are used.' },
  WEBHOOK_MANAGE: {
    name: 'Manage webhooks',
    text: 'Create, change and delete webhooks, and read their new secrets.',
  },
};
const scopeNames = Object.keys(scopes) as Scope[];
const lifetimes = { 7: '7 days', 30: '30 days', 90: '90 days', 180: '180 days', 365: 'One year' };
const nothing = { name: '', scopes: ['APP_READ'] as Scope[], days: '90' };

interface CreateKeyProps {
  /** True if there is no key yet. */
  isFirst: boolean;
  onIssued: (key: { name: string; key: string }) => void;
}

/** The form for a new key. */
export function CreateKey({ isFirst, onIssued }: CreateKeyProps) {
  const [values, setValues, clear] = useDraft('new-key', nothing);
  const [create, isCreating] = useCreation(CreateApiKey);
  const { attempt, problems } = useAttempt();
  const submit = async (close: () => void) => {
    const { days, ...rest } = values;
    const input = { ...rest, expiresInDays: Number(days) };
    const data = await attempt(create({ input }), 'The key is created.');
    if (!data) return;
    clear();
    close();
    onIssued(data.createApiKey);
  };
  return (
    <CreationPanel title="Create a key" isFirst={isFirst}>
      {(close, cancel) => (
        <FieldForm
          fields={['name', 'scopes', 'expiresInDays']}
          problems={problems}
          onSubmit={() => void submit(close)}
        >
          <TextField
            label="Name"
            hint="So that you recognize it later, for example “CI pipeline”."
            value={values.name}
            onChange={(name) => setValues({ ...values, name })}
            problems={requestsAt(problems, 'name')}
          />
          <Scopes
            chosen={values.scopes}
            onChange={(chosen) => setValues({ ...values, scopes: chosen })}
            problems={requestsAt(problems, 'scopes')}
          />
          <SelectField
            label="Lifetime"
            hint="The key stops working after this time. We e-mail you 14 days, 3 days and 1 day before."
            problems={requestsAt(problems, 'expiresInDays')}
            options={lifetimes}
            value={values.days}
            onChange={(days) => setValues({ ...values, days })}
          />
          <div class="row">
            <button type="submit" class="primary" disabled={isCreating}>
              Create the key
            </button>
            {cancel}
          </div>
        </FieldForm>
      )}
    </CreationPanel>
  );
}

interface ScopesProps {
  chosen: readonly Scope[];
  onChange: (chosen: Scope[]) => void;
  problems: readonly string[];
}

const Scopes = ({ chosen, onChange, problems }: ScopesProps) => (
  <fieldset class="field">
    <legend>Permissions</legend>
    <p class="hint">Choose only what the program needs. A leaked key can then do less harm.</p>
    <span id="scopes-problems">
      {problems.map((problem) => (
        <span class="wrong" key={problem}>
          {problem}
        </span>
      ))}
    </span>
    <div class="checks">
      {scopeNames.map((scope) => (
        <label class="check" key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            {...(problems.length > 0 && {
              'aria-invalid': 'true' as const,
              'aria-describedby': 'scopes-problems',
            })}
            onChange={({ currentTarget: { checked } }) =>
              onChange(scopeNames.filter((each) => (each === scope ? checked : chosen.includes(each))))
            }
          />
          <span>
            {scopes[scope].name} <small>{scopes[scope].text}</small>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);
