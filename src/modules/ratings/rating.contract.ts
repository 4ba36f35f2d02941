import { account, activeAccount, admin, anyone, developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { inInput, mutation, query } from '../../operations/operation.js';
import { Rating } from './rating.entity.js';
import {
  DismissRatingReports,
  HideRating,
  ListHiddenRatings,
  ListRatings,
  ListReportedRatings,
  Opinion,
  RateApp,
  RatedApp,
  ReplyToRating,
  ReportRating,
  UnhideRating,
} from './rating.input.js';
import { RatingConnection } from './rating.types.js';
import { RatingReport } from './rating-report.entity.js';

export const appRatings = query({
  summary: 'Lists the ratings of an approved app, newest first.',
  cached: true,
  policy: anyone,
  input: ListRatings,
  output: RatingConnection,
  errors: ['NOT_FOUND'],
  run: ({ ratings }, _caller, input) => ratings.list(input),
});

export const myRating = query({
  summary: "Returns the caller's own rating of an app.",
  policy: account,
  input: RatedApp,
  output: Rating,
  nullable: true,
  errors: ['NOT_FOUND'],
  run: ({ ratings }, caller, { slug }) => ratings.mine(caller, slug),
});

export const rateApp = mutation({
  summary: 'Rates an app, or changes the rating: an account has one rating per app.',
  catalog: 'counts',
  policy: activeAccount,
  input: RateApp,
  grouped: inInput('RateAppInput', 'The rating. It replaces an earlier one as a whole.', Opinion),
  output: Rating,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: ({ ratings }, caller, input) => ratings.rate(caller, input),
});

export const removeRating = mutation({
  summary: "Removes the caller's rating of an app and returns the removed rating.",
  catalog: 'counts',
  policy: account,
  input: RatedApp,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratings }, caller, { slug }) => ratings.remove(caller, slug),
});

export const replyToRating = mutation({
  summary: "Replies publicly to a rating of one of the caller's apps. A call without text removes the reply.",
  catalog: 'counts',
  policy: developer(Scope.APP_UPDATE),
  input: ReplyToRating,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratingModeration }, caller, { id, text }) => ratingModeration.reply(caller, id, text || null),
});

export const hideRating = mutation({
  summary:
    'Hides a rating, with a reason, and closes its reports. It is no longer shown or counted, and neither is a rating with which its author replaces it.',
  policy: admin({ notForOneself: 'rating' }),
  input: HideRating,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratingModeration }, caller, { id, reason }) => ratingModeration.hide(caller, id, reason),
});

export const unhideRating = mutation({
  summary: 'Shows a hidden rating again. If its author has removed it, their next rating is shown.',
  policy: admin({ notForOneself: 'rating' }),
  input: UnhideRating,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratingModeration }, caller, { id }) => ratingModeration.unhide(caller, id),
});

export const hiddenRatings = query({
  summary:
    'Lists the hidden ratings of all apps, most recently hidden first, including those that their authors removed.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ListHiddenRatings,
  output: RatingConnection,
  run: ({ ratingModeration }, _caller, input) => ratingModeration.listHidden(input),
});

export const reportRating = mutation({
  summary:
    'Reports a rating to the administrators. An account has one report per rating: reporting it again changes the reason.',
  catalog: 'none',
  policy: activeAccount,
  input: ReportRating,
  output: RatingReport,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'INVALID_TRANSITION', 'QUOTA_EXCEEDED'],
  run: ({ ratingModeration }, caller, input) => ratingModeration.report(caller, input),
});

export const reportedRatings = query({
  summary: 'Lists the ratings that have open reports, most recently reported first.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ListReportedRatings,
  output: RatingConnection,
  run: ({ ratingModeration }, _caller, input) => ratingModeration.listReported(input),
});

export const dismissRatingReports = mutation({
  summary: 'Closes the reports of a rating, which stays visible. `hideRating` closes them, too.',
  catalog: 'none',
  policy: admin({ notForOneself: 'rating' }),
  input: DismissRatingReports,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratingModeration }, caller, { id }) => ratingModeration.dismiss(caller, id),
});
