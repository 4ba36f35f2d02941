import { Link } from 'wouter-preact';
import { withoutField } from '../client/words.ts';
import { Banner } from '../components/banner.tsx';
import { Logo } from '../components/picture.tsx';
import { Lookalikes } from './developer-summary.tsx';
import { fieldName } from './field-names.ts';
import { requestReason } from './rejection-requests.ts';
import { type FindingData, type ReviewItem, subjectOf } from './review-data.ts';

/** The problems that the automatic checks found. Each can become a reason of a rejection. */
export const Findings = ({ item }: { item: ReviewItem }) => (
  <section class="card stack" aria-labelledby="findings">
    <h2 id="findings">Automatic findings</h2>
    <Lookalikes developers={item.developer.lookalikes} />
    {item.itemFindings.length === 0 ? (
      <p class="soft tight">
        {subjectOf(item).images.length > 0
          ? `No ${item.developer.lookalikes?.length ? 'other ' : ''}problems found.`
          : 'No problems in the texts. Pictures and links have not been checked yet.'}
      </p>
    ) : (
      <ul class="plain stack tight">
        {item.itemFindings.map((finding) => (
          <li key={finding.field + finding.message}>
            <FindingText finding={finding} subject={subjectOf(item)} />
          </li>
        ))}
      </ul>
    )}
  </section>
);

interface FindingTextProps {
  finding: FindingData;
  subject: { readonly name: string; readonly logoUrl: string | null; readonly bannerUrl: string | null };
}

/** The submission and the app that it looks like, side by side: their logos, or their banners if the finding is about these. */
const Pair = ({
  field,
  subject,
  about,
}: Pick<FindingTextProps, 'subject'> & { field: string; about: FindingTextProps['subject'] }) => (
  <div class="look-alikes">
    {[
      { ...subject, role: 'This submission' },
      { ...about, role: 'In the marketplace' },
    ].map(({ name, logoUrl, bannerUrl, role }) => (
      <figure key={role}>
        {field === 'bannerUrl' ? (
          <Banner url={bannerUrl} isEager />
        ) : (
          <Logo url={logoUrl} name={name} isEager />
        )}
        <figcaption>
          <small>{role}</small>
          <strong dir="auto">{name}</strong>
        </figcaption>
      </figure>
    ))}
  </div>
);

const FindingText = ({ finding, subject }: FindingTextProps) => (
  <>
    <p class="row tight">
      <span class={`badge ${finding.severity === 'ERROR' ? 'bad' : 'warn'}`}>
        {finding.severity === 'ERROR' ? 'Error' : 'Warning'}
      </span>
      <strong>{fieldName(finding.field)}</strong>
    </p>
    <p class="tight">{withoutField(finding.field, finding.message)}</p>
    {finding.about && <Pair field={finding.field} subject={subject} about={finding.about} />}
    {finding.about && (
      <p class="tight">
        <Link href={`/apps/${finding.about.id}`} dir="auto">
          {finding.about.name}
        </Link>{' '}
        by{' '}
        <Link href={`/developers/${finding.about.developer.id}`} dir="auto">
          {finding.about.developer.companyName ?? finding.about.developer.name}
        </Link>
      </p>
    )}
    <p class="soft tight">
      {finding.fix}
      {finding.needsReason && ' An approval needs a reason.'}
    </p>
    <button type="button" class="link" onClick={() => requestReason(reasonOfFinding(finding))}>
      Use as a reason
    </button>
  </>
);

/** Returns the reason of a rejection that says what a finding says. */
const reasonOfFinding = ({ field, code, message, fix }: FindingData) => ({
  code: codeOf(field, code),
  field,
  message: `${withoutField(field, message)} ${fix}`,
});

/** Findings about an app that users could take for another one. */
const LOOK_ALIKE_CODES = ['duplicate', 'similar_name', 'same_picture', 'reserved'];

function codeOf(field: string, code: string) {
  if (LOOK_ALIKE_CODES.includes(code)) return 'DUPLICATE' as const;
  if (code === 'required' || code === 'missing' || code === 'too_few') return 'INCOMPLETE' as const;
  if (/^(logoUrl|bannerUrl|screenshots)/.test(field)) return 'IMAGE_QUALITY' as const;
  return field === 'websiteUrl' ? ('BROKEN_LINK' as const) : ('OTHER' as const);
}
