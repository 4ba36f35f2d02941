import { account, admin, anyone, developer } from '../../auth/policy.js';
import { Scope } from '../../auth/scope.js';
import { mutation, query } from '../../operations/operation.js';
import { Rating } from './rating.entity.js';
import {
  HideRating,
  ListHiddenRatings,
  ListRatings,
  RateApp,
  RatedApp,
  ReplyToRating,
  UnhideRating,
} from './rating.input.js';
import { RatingConnection } from './rating.types.js';

export const appRatings = query({
  summary: "Lists an approved app's ratings, newest first.",
  cached: true,
  policy: anyone,
  input: ListRatings,
  output: RatingConnection,
  errors: ['NOT_FOUND'],
  run: ({ ratings }, _caller, input) => ratings.list(input),
});

export const myRating = query({
  summary: "Reads the caller's own rating of an app.",
  policy: account,
  input: RatedApp,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratings }, caller, { slug }) => ratings.mine(caller, slug),
});

export const rateApp = mutation({
  summary: 'Rates an app, or changes the rating: each account has one per app.',
  policy: account,
  input: RateApp,
  output: Rating,
  errors: ['NOT_FOUND', 'FORBIDDEN'],
  run: ({ ratings }, caller, input) => ratings.rate(caller, input),
});

export const removeRating = mutation({
  summary: "Removes the caller's rating of an app, and answers what it was.",
  policy: account,
  input: RatedApp,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratings }, caller, { slug }) => ratings.remove(caller, slug),
});

export const replyToRating = mutation({
  summary:
    "Answers a rating of one of the caller's apps, for everybody to see; no text takes the answer back.",
  policy: developer(Scope.APP_UPDATE),
  input: ReplyToRating,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratingModeration }, caller, { id, text }) => ratingModeration.reply(caller, id, text || null),
});

export const hideRating = mutation({
  summary:
    'Hides a rating, with a reason: it is not shown and does not count, nor what its author gives in its place.',
  policy: admin({ notForOneself: 'rating' }),
  input: HideRating,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratingModeration }, caller, { id, reason }) => ratingModeration.hide(caller, id, reason),
});

export const unhideRating = mutation({
  summary: 'Shows a hidden rating again; of one that its author removed, lets the next one be seen.',
  policy: admin({ notForOneself: 'rating' }),
  input: UnhideRating,
  output: Rating,
  errors: ['NOT_FOUND'],
  run: ({ ratingModeration }, caller, { id }) => ratingModeration.unhide(caller, id),
});

export const hiddenRatings = query({
  summary:
    'Lists the hidden ratings of all apps, the latest hidden first, those included that their authors removed.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ListHiddenRatings,
  output: RatingConnection,
  run: ({ ratingModeration }, _caller, input) => ratingModeration.listHidden(input),
});
