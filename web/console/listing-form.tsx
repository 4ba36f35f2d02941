import type { ComponentChildren } from 'preact';
import { SelectField } from '../components/form.tsx';
import { placeOf } from './field-link.tsx';
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

/** A reason of a rejection. */
export interface ReviewReason {
  readonly field: string | null;
  readonly message: string;
}

interface ListingFormProps {
  listing: Listing;
  findings: readonly ListingFinding[];
  /** Shown at their fields. */
  reasons: readonly ReviewReason[];
  sizes: PictureSizes;
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

/** The place of a field, to which other parts of the page lead, with what a reviewer has said about it. */
const Place = ({
  name,
  of: { reasons },
  children,
}: {
  name: keyof Listing;
  of: ListingFormProps;
  children: ComponentChildren;
}) => (
  <div id={placeOf(name)}>
    {reasons
      .filter(({ field }) => field?.split('.')[0] === name)
      .map(({ message }) => (
        <p key={message} class="note warn">
          <strong>From the review: </strong>
          <span dir="auto">{message}</span>
        </p>
      ))}
    {children}
  </div>
);

type TextFieldName = Exclude<keyof Listing, 'category' | 'logoUrl' | 'bannerUrl' | 'screenshots'>;

const fieldProps = <F extends TextFieldName>(
  { listing, findings, onChange }: ListingFormProps,
  field: F,
) => ({
  label: fieldLabels[field],
  value: listing[field],
  findings: findingsAt(findings, field),
  maxLength: maxLengths[field],
  onChange: (value: string) => onChange({ [field]: value }),
});

interface ListedFieldProps {
  in: ListingFormProps;
  name: TextFieldName;
  hint: string;
}

const Text = ({
  in: props,
  name,
  ...field
}: ListedFieldProps & { lines?: number; isOptional?: boolean; type?: 'url' }) => (
  <Place name={name} of={props}>
    <ListingTextField {...fieldProps(props, name)} {...field} />
  </Place>
);

const Markdown = ({ in: props, name, ...field }: ListedFieldProps & { lines: number }) => (
  <Place name={name} of={props}>
    <ListingMarkdownField {...fieldProps(props, name)} {...field} />
  </Place>
);

const TextFields = (props: ListingFormProps) => (
  <section class="card">
    <h2>About the app</h2>
    <Text in={props} name="name" hint="Short and distinctive: people search for it." />
    <Text
      in={props}
      name="description"
      lines={2}
      hint="One or two sentences for lists: what does the app do, and for whom?"
    />
    <Place name="category" of={props}>
      <SelectField
        label={fieldLabels.category}
        hint="Where people find the app when they browse."
        options={categories}
        value={props.listing.category}
        onChange={(category) => props.onChange({ category })}
      />
    </Place>
    <Markdown
      in={props}
      name="longDescription"
      lines={14}
      hint="Headings, lists, links and tables. No pictures; those are the screenshots."
    />
  </section>
);

function PictureFields(props: ListingFormProps) {
  const { listing, findings, sizes, onChange, onMeasured } = props;
  return (
    <section class="card">
      <h2>Pictures</h2>
      <p class="soft">
        Host the files on a public server and enter their addresses. Nothing is uploaded here.
      </p>
      {(['logo', 'banner'] as const).map((kind) => (
        <Place key={kind} name={`${kind}Url`} of={props}>
          <PictureField
            label={fieldLabels[`${kind}Url`]}
            kind={kind}
            isOptional
            url={listing[`${kind}Url`]}
            size={sizes[listing[`${kind}Url`]]}
            findings={findingsAt(findings, `${kind}Url`)}
            onChange={(url) => onChange({ [`${kind}Url`]: url })}
            onMeasured={onMeasured}
          />
        </Place>
      ))}
      <Place name="screenshots" of={props}>
        <ScreenshotFields
          screenshots={listing.screenshots}
          findings={findingsAt(findings, 'screenshots')}
          sizes={sizes}
          onChange={(screenshots) => onChange({ screenshots })}
          onMeasured={onMeasured}
        />
      </Place>
    </section>
  );
}

const ReleaseFields = (props: ListingFormProps) => (
  <section class="card">
    <h2>Release</h2>
    <Text in={props} name="versionNumber" isOptional hint="For example 2.1.0." />
    <Markdown
      in={props}
      name="releaseNotes"
      lines={6}
      hint="What is new in this release, for people who use the app."
    />
  </section>
);

const FurtherFields = (props: ListingFormProps) => (
  <section class="card">
    <h2>Links</h2>
    <Text in={props} name="websiteUrl" type="url" isOptional hint="Your page about the app." />
    <Text
      in={props}
      name="oauthClientId"
      isOptional
      hint="The ID of the app’s OAuth client in the workspace, if it has one."
    />
  </section>
);
