import { z } from 'zod';
import { id, reason, slug, text } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';

export const Opinion = z.object({
  rating: z.int().min(1).max(5).describe('From 1 to 5.'),
  title: text({ min: 0, max: 120 }).nullish().describe('It in a few words.'),
  text: text({ min: 0, max: 2000, multiline: true }).nullish().describe('Why.'),
});

export const RatedApp = z.object({ slug: slug() });
export const RateApp = Opinion.extend(RatedApp.shape);
export const ListRatings = RatedApp.extend(connectionArguments);
export const ListHiddenRatings = z.object(connectionArguments);

const RatingId = z.object({ id: id('rating') });
export const ReplyToRating = RatingId.extend({
  text: text({ min: 0, max: 2000, multiline: true }).nullish().describe('What to answer; none clears it.'),
});
export const HideRating = RatingId.extend({ reason: reason() });
export const UnhideRating = RatingId;
