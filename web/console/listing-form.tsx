import { SelectField } from '../components/form.tsx';
import { categories, fieldLabels, type Listing } from './listing.ts';
import {
  findingsAt,
  type ListingFinding,
  maxLengths,
  type PictureSize,
  type PictureSizes,
} from './listing-checks.ts';
import { ListingMarkdownField, ListingTextField } from './listing-text-field.tsx';
import { PictureField } from './picture-field.tsx';
import { ScreenshotFields } from './screenshot-fields.tsx';

interface ListingFormProps {
  listing: Listing;
  findings: readonly ListingFinding[];
  sizes: PictureSizes;
  disabled: boolean;
  onChange: (part: Partial<Listing>) => void;
  onMeasured: (url: string, size: PictureSize | null) => void;
}

/** All fields of a listing, each with what is wrong with it. */
export function ListingForm(props: ListingFormProps) {
  return (
    <>
      <TextFields {...props} />
      <PictureFields {...props} />
      <ReleaseFields {...props} />
      <FurtherFields {...props} />
    </>
  );
}

type TextFieldName = Exclude<keyof Listing, 'category' | 'logoUrl' | 'bannerUrl' | 'screenshots'>;

const fieldProps = <F extends TextFieldName>(
  { listing, findings, disabled, onChange }: ListingFormProps,
  field: F,
) => ({
  label: fieldLabels[field],
  value: listing[field],
  findings: findingsAt(findings, field),
  maxLength: maxLengths[field],
  disabled,
  onChange: (value: string) => onChange({ [field]: value }),
});

const TextFields = (props: ListingFormProps) => (
  <section class="card">
    <h2>About the app</h2>
    <ListingTextField {...fieldProps(props, 'name')} hint="Short and distinctive: people search for it." />
    <ListingTextField
      {...fieldProps(props, 'description')}
      lines={2}
      hint="One or two sentences for lists: what does the app do, and for whom?"
    />
    <SelectField
      label={fieldLabels.category}
      hint="Where people find the app when they browse."
      options={categories}
      value={props.listing.category}
      onChange={(category) => props.onChange({ category })}
    />
    <ListingMarkdownField
      {...fieldProps(props, 'longDescription')}
      lines={14}
      hint="Headings, lists, links and tables. No pictures; those are the screenshots."
    />
  </section>
);

const PictureFields = ({ listing, findings, sizes, disabled, onChange, onMeasured }: ListingFormProps) => (
  <section class="card">
    <h2>Pictures</h2>
    <p class="soft">Host the files on a public server and enter their addresses. Nothing is uploaded here.</p>
    {(['logo', 'banner'] as const).map((kind) => (
      <PictureField
        key={kind}
        label={fieldLabels[`${kind}Url`]}
        kind={kind}
        isOptional
        url={listing[`${kind}Url`]}
        size={sizes[listing[`${kind}Url`]]}
        findings={findingsAt(findings, `${kind}Url`)}
        disabled={disabled}
        onChange={(url) => onChange({ [`${kind}Url`]: url })}
        onMeasured={onMeasured}
      />
    ))}
    <ScreenshotFields
      screenshots={listing.screenshots}
      findings={findingsAt(findings, 'screenshots')}
      sizes={sizes}
      disabled={disabled}
      onChange={(screenshots) => onChange({ screenshots })}
      onMeasured={onMeasured}
    />
  </section>
);

const ReleaseFields = (props: ListingFormProps) => (
  <section class="card">
    <h2>Release</h2>
    <ListingTextField
      {...fieldProps(props, 'versionNumber')}
      isOptional
      hint="As you count your releases, such as 2.1.0."
    />
    <ListingMarkdownField
      {...fieldProps(props, 'releaseNotes')}
      lines={6}
      hint="What is new in this release, for people who use the app."
    />
  </section>
);

const FurtherFields = (props: ListingFormProps) => (
  <section class="card">
    <h2>Links</h2>
    <ListingTextField
      {...fieldProps(props, 'websiteUrl')}
      type="url"
      isOptional
      hint="Your page about the app."
    />
    <ListingTextField
      {...fieldProps(props, 'oauthClientId')}
      isOptional
      hint="The ID of the app’s OAuth client. Support sets it up for you."
    />
  </section>
);
