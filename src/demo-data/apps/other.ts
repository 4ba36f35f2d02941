import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, draft, live } from '../demo-app.js';

const category = Category.OTHER;

export const otherApps: DemoApp[] = [
  {
    owner: 'developer',
    name: 'Habit Garden',
    category,
    description: 'Grows a small garden out of finished routines.',
    story: `Water the plants by finishing what you do every day. A garden that is left alone sleeps; nothing dies.`,
    // One screenshot is too few for a submission, which the preflight says.
    screens: ['The garden in spring'],
    past: draft(6),
  },
  {
    owner: 'marta',
    name: 'Office Plants',
    category,
    description: 'Reminds the right person to water the right plant.',
    story: `Every plant has a card: its name, its place, its thirst and its person.

- Holiday cover is arranged by itself
- A photo once a month shows how it is doing
- Works for fish as well`,
    screens: ['Thirsty today', 'A plant and its history'],
    past: live(22, 5, 6),
  },
  {
    owner: 'lars',
    name: 'Lunch Roulette',
    category,
    description: 'Invites two colleagues who rarely meet to lunch, once a week.',
    story: `Every Monday the wheel turns. Two people who have not worked on a task together for a month get an invitation, a place and an opening question.

Saying no is one click, and nobody learns about it.`,
    screens: ['The wheel of the week', 'Past lunches'],
    past: live(19, 47, 9),
  },
  {
    owner: 'lars',
    name: 'The Patient Companion for Teams That Cannot Agree on Where Anything Should Be Filed',
    folder: 'patient-companion',
    category,
    description:
      'Watches where people look for things before they find them, and suggests one place for each kind of document, together with a redirect from every other place where somebody has looked for it at least twice.',
    story: `Where does the travel policy belong? In *Human Resources*, in *Finance*, in *Onboarding*, or in a board called *Misc (do not use)*? Every team has this conversation, and no team has ever ended it.

## The idea

The Companion does not move anything. It counts, for every kind of document, in which places people look **first**. After four weeks it suggests the place in which most of them would have found it at once, and leaves a redirect everywhere else.

### What it counts

1. Searches that end without a click
2. Boards that are opened and closed within ten seconds
3. The question "does anybody know where…" in comments

### What it never counts

- Who it was
- What was in the document
- Anything on private boards

## Limits

- The Companion needs at least twelve people and four weeks.
- Teams that reorganise more than twice a year should wait until it is over.

The cooperative has published [the study behind it](https://thoughtful-workplace-software.example/where-things-are), in which nine teams agreed on 412 places and disagreed on 3.`,
    screens: ['Where people look first', 'A redirect'],
    hasBanner: true,
    past: live(15, 34, 7),
  },
  {
    owner: 'waiting',
    name: 'Sticker Sheet',
    category,
    description: 'A sheet of stickers for your boards.',
    story: `Forty stickers for the small things: *thank you*, *well found*, *this can wait*.`,
    screens: ['Stickers on a board', 'The whole sheet'],
    past: draft(1),
  },
];
