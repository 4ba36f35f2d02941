import { useChange } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { fieldProblems } from '../client/problems.ts';
import { Form, SelectField, TextField, useAttempt } from './form.tsx';

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
export const scopes: Record<Scope, string> = {
  APP_READ: 'List and read your apps and webhooks.',
  APP_CREATE: 'Create apps.',
  APP_UPDATE: 'Change, submit and withdraw your apps.',
  APP_DELETE: 'Delete apps that were never public.',
  ANALYTICS_READ: 'Read how your apps are used.',
  WEBHOOK_MANAGE: 'Create, change and delete webhooks, and read their new secrets.',
};
const scopeNames = Object.keys(scopes) as Scope[];
const lifetimes = { 7: '7 days', 30: '30 days', 90: '90 days', 180: '180 days', 365: 'One year' };
const nothing = { name: '', scopes: ['APP_READ'] as Scope[], days: '90' };

interface CreateKeyProps {
  /** True if the form is shown from the beginning. */
  isOpen: boolean;
  onIssued: (key: { name: string; key: string }) => void;
}

/** The form for a new key. */
export function CreateKey({ isOpen, onIssued }: CreateKeyProps) {
  const [values, setValues, clear] = useDraft('new-key', nothing);
  const [create, isCreating] = useChange(CreateApiKey);
  const { attempt, problems } = useAttempt();
  const submit = async () => {
    const { days, ...rest } = values;
    const input = { ...rest, expiresInDays: Number(days) };
    const data = await attempt(create({ input }), 'The key is created.');
    if (!data) return;
    clear();
    onIssued(data.createApiKey);
  };
  return (
    <details class="card" open={isOpen}>
      <summary>
        <h2>Create a key</h2>
      </summary>
      <Form fields={['name', 'scopes', 'expiresInDays']} problems={problems} onSubmit={submit}>
        <TextField
          label="Name"
          hint="To recognise it by, such as “CI pipeline”."
          value={values.name}
          onChange={(name) => setValues({ ...values, name })}
          problems={fieldProblems(problems, 'name')}
        />
        <Scopes
          chosen={values.scopes}
          onChange={(chosen) => setValues({ ...values, scopes: chosen })}
          problems={fieldProblems(problems, 'scopes')}
        />
        <SelectField
          label="Lifetime"
          hint="The key stops working then. You get an e-mail 14, 3 and 1 days before."
          problems={fieldProblems(problems, 'expiresInDays')}
          options={lifetimes}
          value={values.days}
          onChange={(days) => setValues({ ...values, days })}
        />
        <button type="submit" class="primary" disabled={isCreating}>
          Create the key
        </button>
      </Form>
    </details>
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
    <p class="hint">Choose only what the program needs, so that a leaked key does little harm.</p>
    {problems.map((problem) => (
      <span class="wrong" key={problem}>
        {problem}
      </span>
    ))}
    <div class="checks">
      {scopeNames.map((scope) => (
        <label class="check" key={scope}>
          <input
            type="checkbox"
            checked={chosen.includes(scope)}
            onChange={({ currentTarget: { checked } }) =>
              onChange(scopeNames.filter((each) => (each === scope ? checked : chosen.includes(each))))
            }
          />
          <span>
            <code>{scope}</code> <small>{scopes[scope]}</small>
          </span>
        </label>
      ))}
    </div>
  </fieldset>
);
