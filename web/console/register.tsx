import { useEffect } from 'preact/hooks';
import { useCreation } from '../client/creation.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { Signal } from '../client/signal.ts';
import { FieldForm } from '../components/field-form.tsx';
import { useAttempt } from '../components/form.tsx';
import { useTitle } from '../components/shell.tsx';
import { ProfileFields, profileFieldNames, profileInput } from './profile-fields.tsx';

const Register = graphql(`
  mutation ConsoleRegister($input: RegisterDeveloperInput!) {
    registerDeveloper(input: $input) {
      id
    }
  }
`);

interface RegisterPageProps {
  account: { accountUserId: string; name: string | null; email: string | null };
  onRegistered: () => void;
}

/** True while the registration is shown: until then the account has none of the console's pages. */
export const isAtRegistration = new Signal(false);

/** The registration of an account as a developer. */
export function RegisterPage({ account, onRegistered }: RegisterPageProps) {
  useTitle('Register · Developer console');
  useEffect(() => {
    isAtRegistration.value = true;
    return () => {
      isAtRegistration.value = false;
    };
  }, []);
  const [values, setValues, clearDraft] = useDraft('register', {
    name: account.name ?? '',
    email: account.email ?? '',
    companyName: '',
    websiteUrl: '',
    bio: '',
  });
  const [register, isRegistering] = useCreation(Register);
  const { attempt, problems } = useAttempt();
  const submit = async () => {
    const input = { accountUserId: account.accountUserId, ...profileInput(values) };
    if (!(await attempt(register({ input }), 'You are registered.'))) return;
    clearDraft();
    onRegistered();
  };
  const publisher = values.companyName.trim() || values.name.trim();
  const email = values.email.trim();
  return (
    <div class="narrow stack">
      <header>
        <h1>Become a developer</h1>
        <p>
          Tell us who publishes your apps.
          {(account.name ?? account.email) && ' We filled in what your account says: check it first.'}
        </p>
      </header>
      <FieldForm class="card" fields={profileFieldNames} problems={problems} onSubmit={submit}>
        <ProfileFields values={values} onChange={setValues} problems={problems} />
        <section class="note" aria-labelledby="next">
          <h2 id="next">What happens next</h2>
          <ol>
            <li>
              {publisher ? (
                <>
                  <strong dir="auto">{publisher}</strong> is registered
                </>
              ) : (
                'You are registered'
              )}
              , and you can write listings at once.
            </li>
            <li>
              A person verifies your account, usually within a day. You get an e-mail
              {email && (
                <>
                  {' '}
                  to <strong>{email}</strong>
                </>
              )}
              .
            </li>
            <li>Then you can create API keys and submit apps.</li>
          </ol>
        </section>
        <button type="submit" class="primary" disabled={isRegistering}>
          Register as a developer
        </button>
      </FieldForm>
    </div>
  );
}
