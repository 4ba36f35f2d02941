import { useChange } from '../client/data.ts';
import { onlyChanged, useFormDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { Badge } from '../components/badge.tsx';
import { FieldForm } from '../components/field-form.tsx';
import { useAttempt } from '../components/form.tsx';
import { useTitle } from '../components/shell.tsx';
import { dayOf } from '../components/when.tsx';
import { type DeveloperData, useDeveloper } from './developer.tsx';
import { ProfileFields, type ProfileValues, profileFieldNames, profileInput } from './profile-fields.tsx';
import { Verification } from './verification.tsx';

const UpdateProfile = graphql(`
  mutation ConsoleUpdateProfile($input: UpdateMeInput!) {
    updateMe(input: $input) {
      id
      name
      email
      emailLost
      companyName
      websiteUrl
      bio
    }
  }
`);

const valuesOf = ({
  name,
  email,
  emailLost,
  companyName,
  websiteUrl,
  bio,
}: DeveloperData): ProfileValues => ({
  name,
  email: emailLost ? '' : email,
  companyName: companyName ?? '',
  websiteUrl: websiteUrl ?? '',
  bio: bio ?? '',
});

/** The developer's profile and the state of the account. */
export function ProfilePage() {
  useTitle('Profile · Developer console');
  const developer = useDeveloper();
  return (
    <div class="narrow stack">
      <header class="row">
        <h1>Profile</h1>
        <Badge value={developer.status} />
        {developer.verifiedAt && (
          <small>
            Registered on {dayOf(developer.createdAt)}, verified on {dayOf(developer.verifiedAt)}
          </small>
        )}
      </header>
      <Verification />
      <ProfileForm developer={developer} />
    </div>
  );
}

function ProfileForm({ developer }: { developer: DeveloperData }) {
  const { values, changed, isChanged, change, clear: discard } = useFormDraft('profile', valuesOf(developer));
  const [update, isUpdating] = useChange(UpdateProfile);
  const { attempt, problems, clear } = useAttempt();
  const save = async () => {
    const input = onlyChanged(profileInput(values), changed);
    if (await attempt(update({ input }), 'Your profile is saved.')) discard(values);
  };
  return (
    <FieldForm class="card" fields={profileFieldNames} problems={problems} onSubmit={save}>
      <ProfileFields values={values} onChange={change} problems={problems} />
      <div class="row">
        <button type="submit" class="primary" disabled={isUpdating || !isChanged}>
          Save
        </button>
        {isChanged && (
          <button
            type="button"
            onClick={() => {
              discard();
              clear();
            }}
          >
            Discard the changes
          </button>
        )}
        <small>
          {isChanged ? 'Not saved yet. Your text is kept in this browser.' : 'Everything is saved.'}
        </small>
      </div>
    </FieldForm>
  );
}
