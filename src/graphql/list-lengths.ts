import { listingFields } from '../modules/apps/listing.difference.js';
import { loggedTextLength } from '../modules/audit/long-value.rules.js';
import { exceptionOf } from './cost-exceptions.js';
import { inputLength, inputLengths } from './input-lengths.js';
import { longestText } from './text-lengths.js';

/** All texts of a listing together. */
const listingLength = inputLength('updateApp', ...listingFields);
const screenshots = inputLengths.lists.get('screenshots') ?? 0;
/** Whole values of all fields, before and after: so many of the length with which a shortened one counts. */
const wholeChanges = listingLength / loggedTextLength;
/** What a listing that meets the rules can have: one for each link, three about texts and screenshots, two about the name, one about installs. */
const findings = screenshots + 3 + 3 + 2 + 1;

/** The greatest lengths of lists that no input limits, by type and name or by name. A new one has to be entered: a test walks the schema. */
const lengths: Readonly<Record<string, number>> = {
  // The fields of a listing, with shortened values, and the environment, slug, status and revision.
  'TimelineEntry.changes': listingFields.length + 4,
  // Of the changes a third are of a profile with six fields, and a third of an endpoint with four.
  'KeyChange.changes': (listingFields.length + 4 + 6 + 4) / 3,
  'AppVersion.changes': wholeChanges,
  'ReviewQueueItem.changes': wholeChanges,
  'AppVersion.conflicts': listingLength / longestText,
  findings,
  // One finding of a listing has it.
  'Finding.about': 1 / findings,
  images: screenshots + 2,
  // Those of a developer and of an administrator, who may be the same person.
  'App.allowedActions': 7 + 9,
  'AppVersion.allowedActions': 5 + 5,
  'Developer.allowedActions': 3 + 5,
  allowedActions: 2,
  ratingDistribution: 5,
  distribution: 5,
  'AppAnalytics.series': 732,
  'AppFacets.categories': 10,
  'AppFacets.environments': 3,
  'Developer.lookalikes': 20,
  // A hundred of the profile, of webhooks and of all else.
  'KeyChanges.changes': 300,
  'KeyChanges.activeDescendants': 50,
  'ReviewStats.days': 366,
  'ReviewStats.reviewers': 100,
  'UndoneProfileChange.restored': 6,
  'Query.adminWebhooks': 10,
  'Query.categories': 10,
  // The active ones, and the hundred that ended last.
  'Query.myApiKeys': 150,
  'Query.myWebhookEndpoints': 10,
  'Query.rejectionReasons': 9,
};

/** Returns the number of items as which a list counts; null if nothing is known of it. */
export const greatestItems = (type: string, field: string): number | null =>
  exceptionOf(type, field, 'items') ??
  lengths[`${type}.${field}`] ??
  lengths[field] ??
  inputLengths.lists.get(field) ??
  null;
