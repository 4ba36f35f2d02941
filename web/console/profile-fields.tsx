import type { Problem } from '../client/problems.ts';
import { requestsAt } from '../components/field-form.tsx';
import { TextField } from '../components/form.tsx';

export interface ProfileValues {
  name: string;
  email: string;
  companyName: string;
  websiteUrl: string;
  bio: string;
}

export const profileFieldNames = ['name', 'email', 'companyName', 'websiteUrl', 'bio'] as const;

/** Empty optional fields are null for the service. */
export const profileInput = ({ name, email, companyName, websiteUrl, bio }: ProfileValues) => ({
  name,
  email,
  companyName: companyName || null,
  websiteUrl: websiteUrl || null,
  bio: bio || null,
});

const fields = {
  name: {
    label: 'Name',
    hint: 'Shown as the publisher of your apps, unless you enter a company. It is always on your public page.',
    autocomplete: 'name',
  },
  email: {
    label: 'E-mail address',
    hint: 'For decisions on your apps and warnings about your keys. It is never public.',
    type: 'email',
    autocomplete: 'email',
  },
  companyName: {
    label: 'Company',
    hint: 'Your apps are published under it instead of your name. Leave it empty if you publish as a person.',
    isOptional: true,
    autocomplete: 'organization',
  },
  websiteUrl: {
    label: 'Website',
    hint: 'Tells users and reviewers who you are. It makes the verification easier.',
    type: 'url',
    isOptional: true,
    autocomplete: 'url',
  },
  bio: {
    label: 'About you',
    hint: 'A few sentences on your public page, at most 2,000 characters.',
    lines: 4,
    isOptional: true,
  },
} as const;

interface ProfileFieldsProps {
  values: ProfileValues;
  onChange: (values: ProfileValues) => void;
  problems: readonly Problem[];
}

/** The fields of a developer's profile, each with the reason why it is asked for. */
export const ProfileFields = ({ values, onChange, problems }: ProfileFieldsProps) => (
  <>
    {profileFieldNames.map((field) => (
      <TextField
        key={field}
        {...fields[field]}
        value={values[field]}
        onChange={(value) => onChange({ ...values, [field]: value })}
        problems={requestsAt(problems, field)}
      />
    ))}
  </>
);
