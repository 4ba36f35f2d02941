import { Initial } from './0001-initial.js';
import { Audit } from './0002-audit.js';
import { AssetChecks } from './0003-asset-checks.js';
import { Webhooks } from './0004-webhooks.js';
import { Review } from './0005-review.js';
import { KeyExpiry } from './0006-key-expiry.js';
import { ReviewersAndVersions } from './0007-reviewers-and-versions.js';
import { Catalog } from './0008-catalog.js';
import { CatalogAnnouncements } from './0009-catalog-announcements.js';
import { Installs } from './0010-installs.js';
import { Ratings } from './0011-ratings.js';
import { RateLimits } from './0012-rate-limits.js';
import { Idempotency } from './0013-idempotency.js';
import { KeysAndAudit } from './0014-keys-and-audit.js';
import { AppNames } from './0015-app-names.js';
import { Quotas } from './0016-quotas.js';
import { VersionBases } from './0017-version-bases.js';
import { KeyDescendants } from './0018-key-descendants.js';
import { HiddenRatings } from './0019-hidden-ratings.js';
import { MailDigests } from './0020-mail-digests.js';
import { EncryptedSecrets } from './0021-encrypted-secrets.js';
import { Administration } from './0024-administration.js';

/** Every migration, oldest first. A released one is never edited. */
export const migrations = [
  { name: '0001-initial', class: Initial },
  { name: '0002-audit', class: Audit },
  { name: '0003-asset-checks', class: AssetChecks },
  { name: '0004-webhooks', class: Webhooks },
  { name: '0005-review', class: Review },
  { name: '0006-key-expiry', class: KeyExpiry },
  { name: '0007-reviewers-and-versions', class: ReviewersAndVersions },
  { name: '0008-catalog', class: Catalog },
  { name: '0009-catalog-announcements', class: CatalogAnnouncements },
  { name: '0010-installs', class: Installs },
  { name: '0011-ratings', class: Ratings },
  { name: '0012-rate-limits', class: RateLimits },
  { name: '0013-idempotency', class: Idempotency },
  { name: '0014-keys-and-audit', class: KeysAndAudit },
  { name: '0015-app-names', class: AppNames },
  { name: '0016-quotas', class: Quotas },
  { name: '0017-version-bases', class: VersionBases },
  { name: '0018-key-descendants', class: KeyDescendants },
  { name: '0019-hidden-ratings', class: HiddenRatings },
  { name: '0020-mail-digests', class: MailDigests },
  { name: '0021-encrypted-secrets', class: EncryptedSecrets },
  { name: '0024-administration', class: Administration },
];
