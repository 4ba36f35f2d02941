import { z } from 'zod';
import { id, reason, slug, text } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';

export const Opinion = z.object({
  rating: z.int().min(1).max(5).describe('Number of stars, from 1 (worst) to 5 (best).'),
  authorName: text({ min: 0, max: 100 })
    .nullish()
    .describe('Name to show with the rating, such as "Grace H.". Null or empty: none.'),
  title: text({ min: 0, max: 120 }).nullish().describe('Headline. Null or empty: none.'),
  text: text({ min: 0, max: 2000, multiline: true })
    .nullish()
    .describe('Text. May contain line breaks. Null or empty: none.'),
});

export const RatedApp = z.object({ slug: slug() });
export const RateApp = Opinion.extend(RatedApp.shape);
export const ListRatings = RatedApp.extend(connectionArguments);
export const ListHiddenRatings = z.object(connectionArguments);

const RatingId = z.object({ id: id('rating') });
export const ReplyToRating = RatingId.extend({
  text: text({ min: 0, max: 2000, multiline: true })
    .nullish()
    .describe('The public reply. Null or empty: removes the reply.'),
});
export const HideRating = RatingId.extend({ reason: reason() });
export const UnhideRating = RatingId;

export const ReportRating = RatingId.extend({
  reason: text({ max: 2000, multiline: true }).describe(
    'Why the rating should be hidden, such as "It is an advertisement for another product.". Only administrators read it.',
  ),
});
export const ListReportedRatings = z.object(connectionArguments);
export const DismissRatingReports = RatingId;
