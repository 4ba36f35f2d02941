import { Environment } from '../../modules/listings/app.entity.js';
import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, live, waiting } from '../demo-app.js';

const category = Category.EDUCATION;

export const educationApps: DemoApp[] = [
  {
    owner: 'kofi',
    name: 'Flash Cards',
    category,
    description: 'Makes flash cards from checklists.',
    story: `Every checklist is a small lesson. Flash Cards turns its points into questions and shows them again just before you would forget them.

- Spaced repetition with the intervals of *SM-2*
- Five minutes a day, not more
- Decks are shared with the team, progress is not`,
    screens: ['A question', 'Your week'],
    hasBanner: true,
    past: live(90, 11, 10),
  },
  {
    owner: 'kofi',
    name: 'Course Planner',
    category,
    environment: Environment.staging,
    description: 'Plans a course as a board, week by week.',
    story: `A column for each week, a card for each lesson. Materials, homework and rooms are on the card, and students see what is meant for them.

Move a lesson, and everything that depends on it moves too.`,
    screens: ['A course, week by week', 'What students see'],
    past: live(57, 32, 3),
  },
  {
    owner: 'amina',
    name: 'Reading List',
    category,
    description: 'Collects what your team should read, and reminds people kindly.',
    story: `Articles, papers and books that your team should know, with a reason next to each of them.

- Recommend a text to one person, with one sentence on why
- Notes are shared, page by page
- A reminder once a week, never more often`,
    screens: ['The list of the team', 'Notes on a page'],
    past: live(45, 13, 7),
  },
  {
    owner: 'amina',
    name: 'Quiz Night',
    category,
    description: 'Builds a quiz from the decisions and documents of your team.',
    story: `New colleagues learn faster when it is fun. Quiz Night builds ten questions from your handbook and your decisions, and plays them with the whole team in fifteen minutes.

## Fair play

- Questions can be reported, and are removed for everyone
- Points are forgotten after the evening
- Works in Arabic and English, in the same game`,
    screens: ['A question for everyone', 'The end of the evening'],
    hasBanner: true,
    past: waiting(1),
  },
];
