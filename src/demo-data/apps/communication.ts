import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, draft, live, rejected, waiting } from '../demo-app.js';

const category = Category.COMMUNICATION;

export const communicationApps: DemoApp[] = [
  {
    owner: 'developer',
    name: 'Standup Bot',
    category,
    description: 'Collects yesterday, today and blockers before the daily meeting.',
    story: `The bot asks three questions in the morning, and posts the answers as one message. The daily meeting begins with what matters: the blockers.

- Everyone answers when their own day begins.
- Nobody is counted. There are no streaks and no scores.
- Who is on holiday is not asked.`,
    screens: ['Three questions', 'The summary for the team'],
    past: rejected(4, 19),
  },
  {
    owner: 'kofi',
    name: 'Chat Bridge',
    category,
    description: 'Brings comments into your chat, and answers back.',
    story: `Half of the team lives on the board, half of it lives in the chat. Chat Bridge lets both stay where they are.

## Quiet by default

You choose per board what is posted: *mentions*, *decisions*, or *everything*. Digests arrive at the hours that you set.

## Answers go back

Reply in the thread, and the reply is a comment on the task, under your own name.`,
    screens: ['A thread on both sides', 'What is posted where'],
    hasBanner: true,
    past: live(98, 23, 18),
  },
  {
    owner: 'marta',
    name: 'Announcements',
    category,
    description: 'One place for news that everyone has to read, and a way to see who did.',
    story: `Important news drowns in channels. An announcement stays on top of every board until its reader has confirmed it.

- Text, pictures and a question, if you need an answer
- Confirmations by team, without names if you prefer
- Expires by itself`,
    screens: ['News on top of the board', 'Who has read it'],
    past: live(52, 18, 7),
  },
  {
    owner: 'yuki',
    name: 'Feedback Form',
    category,
    description: 'Puts a feedback form on your website and sorts the answers into a board by topic.',
    story: `A form with two fields, on any page, in any language. What people write arrives as a card, next to similar cards.

## Setup

Copy one line into your website. The form is 9 kB and loads after everything else.

## What happens with the data

- We store the text, the page and the time. **No name, no address, no cookie.**
- Cards are deleted after 180 days unless somebody moves them.
- The data stays in the region of your workspace. The [data sheet](https://paper-crane.example/feedback/data) has the details.`,
    screens: ['The form on a page', 'Answers by topic'],
    hasBanner: true,
    past: waiting(28),
  },
  {
    owner: 'lars',
    name: 'Voice Memos',
    category,
    description: 'Records a short voice memo on a task.',
    story: null,
    screens: ['Record a memo', 'Listen to it on the task'],
    past: draft(9),
  },
];
