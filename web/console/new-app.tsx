import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { useCreation } from '../client/creation.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { FieldForm, requestsAt } from '../components/field-form.tsx';
import { SelectField, TextField, useAttempt } from '../components/form.tsx';
import { useTitle } from '../components/shell.tsx';
import { type Category, categories, type Environment } from './listing.ts';

const CreateApp = graphql(`
  mutation ConsoleCreateApp($input: CreateAppInput!) {
    createApp(input: $input) {
      id
    }
  }
`);

const environments: Record<Environment, string> = {
  production: 'Production',
  staging: 'Staging',
  localhost: 'Localhost',
};
const fields = ['name', 'description', 'category', 'environment'] as const;
const nothing = {
  name: '',
  description: '',
  category: 'PRODUCTIVITY' as Category,
  environment: 'production' as Environment,
};

/** The form for a new app: only what is needed to begin. */
export function NewAppPage() {
  useTitle('New app · Developer console');
  const [, navigate] = useLocation();
  const [values, setValues, clearDraft] = useDraft('new-app', nothing);
  const [create, isCreating] = useCreation(CreateApp);
  const { attempt, problems } = useAttempt();
  // A field that was changed since has no problem until it is sent again.
  const [sent, setSent] = useState(values);
  const submit = async () => {
    setSent(values);
    const data = await attempt(create({ input: values }), 'Draft created.');
    if (!data) return;
    clearDraft();
    navigate(`/apps/${data.createApp.id}`);
  };
  const text = (field: 'name' | 'description') => ({
    value: values[field],
    onChange: (value: string) => setValues({ ...values, [field]: value }),
    problems: values[field] === sent[field] ? requestsAt(problems, field) : [],
  });
  return (
    <div class="narrow stack">
      <header>
        <h1>New app</h1>
        <p>Start with the basics. You add pictures and everything else next; nothing is public yet.</p>
      </header>
      <FieldForm class="card" fields={fields} problems={problems} onSubmit={submit}>
        <TextField {...text('name')} label="Name" hint="At most 100 characters. You can change it later." />
        <TextField
          {...text('description')}
          label="Short description"
          lines={2}
          hint="One or two sentences for lists: what does the app do, and for whom?"
        />
        <SelectField
          label="Category"
          hint="Where people find the app when they browse."
          options={categories}
          value={values.category}
          onChange={(category) => setValues({ ...values, category })}
        />
        <SelectField
          label="Environment"
          hint="It cannot be changed later. Most apps run in Production; Localhost is for trying an app on your own machine."
          options={environments}
          value={values.environment}
          onChange={(environment) => setValues({ ...values, environment })}
        />
        <div class="row">
          <button type="submit" class="primary" disabled={isCreating}>
            Create draft
          </button>
          <Link class="button" href="/" onClick={() => clearDraft()}>
            Cancel
          </Link>
        </div>
      </FieldForm>
    </div>
  );
}
