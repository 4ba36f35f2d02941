import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, featured, live, waiting } from '../demo-app.js';

const category = Category.PRODUCTIVITY;

export const productivityApps: DemoApp[] = [
  {
    owner: 'developer',
    name: 'Time Tracker',
    category,
    description: 'Tracks the time you spend on each task. One click starts it, one click stops it.',
    story: `Time Tracker adds a small clock to every task. Press it when you begin, press it again when you stop, and forget about timesheets.

## What you get

- **One clock for everything.** Starting a task stops the one before it, so no minute is counted twice.
- **A week at a glance.** See where Tuesday went, by project, by client or by label.
- **Rounding that you choose:** to the minute, to six minutes, or to a quarter of an hour.
- Exports as CSV, and as an invoice with *Invoice Maker*.

## How it works

1. Install the app and open any board.
2. Press the clock on a card, or type \`t\` while a task is open.
3. At the end of the week, open **Time → This week** and approve your hours.

> After eight hours without a break the clock asks whether you are still there. It never deletes time by itself.

## Privacy

Your hours belong to you. Nobody sees them before you approve them, and we never track what is on your screen. Details are in our [privacy notice](https://lighthouse-tools.example/privacy), and there is a [guide for administrators](https://lighthouse-tools.example/time-tracker/admins).`,
    screens: ['One click starts the clock', 'The week at a glance', 'Hours by project'],
    hasBanner: true,
    past: featured(126, 21, 46),
  },
  {
    owner: 'developer',
    name: 'Focus Mode',
    category,
    description: 'Hides everything but the task at hand.',
    story: `Boards are full of other people's urgency. Focus Mode hides all of it for as long as you decide.

## A session

Pick one task and a length between 10 and 90 minutes. Badges, comments and notifications wait until the end. What you missed is summed up on one page.

- Works with the keyboard alone: \`f\` begins, \`Esc\` ends.
- Tells your team that you are busy, if you want it to.
- Keeps no statistics about your breaks.`,
    screens: ['One task, nothing else', 'What happened in the meantime'],
    past: live(101, 30, 12),
  },
  {
    owner: 'marta',
    name: 'Meeting Notes',
    category,
    description: 'Turns an agenda into notes, and notes into tasks with an owner and a date.',
    story: `Most meetings end with the words "who writes this down?". Meeting Notes writes it down while you talk.

## Before the meeting

Everyone adds points to the agenda. The app estimates how long it will take and warns you if it does not fit.

## In the meeting

- Type \`[]\` to make a task, \`@\` to give it an owner, \`!\` for a date.
- Decisions are marked, numbered and searchable for ever.
- A timer shows how long you have been on one point. It is polite.

## After the meeting

The notes go to everyone who was invited, *including those who could not come*. Open tasks are on the agenda of the next meeting until somebody closes them.

We wrote about [how we run our own meetings](https://fjord-and-field.example/meetings).`,
    screens: ['Notes and tasks side by side', 'Decisions of the last weeks'],
    hasBanner: true,
    past: featured(83, 17, 31),
  },
  {
    owner: 'yuki',
    name: 'Quick Capture',
    category,
    description: 'Catches a thought from anywhere with one shortcut, and files it later.',
    story: `Press **Ctrl + Shift + Space**, type, press Enter. The thought is in your inbox before you have lost it.

- Understands dates: *"call Ana friday 3pm"*.
- Takes a screenshot with the note if you ask it to.
- Works offline, and sends everything when you are back.`,
    screens: ['Type and forget', 'The inbox at the end of the day'],
    past: live(58, 9, 17),
  },
  {
    owner: 'lars',
    name: 'Recurring Tasks',
    category,
    description:
      'Creates tasks by the calendar: every second Tuesday, the last working day, after each release.',
    story: `Some work comes back. Recurring Tasks creates it at the right moment, with the right checklist and for the right person.

### Rules that people really have

| Rule | Example |
| --- | --- |
| By the calendar | every second Tuesday |
| By the working day | the last working day of the month |
| After something | three days after each release |

Holidays of 41 countries are built in. If a task is still open when the next one is due, the app can wait, remind you, or add a second one.`,
    screens: ['Rules in plain words', 'The next four weeks'],
    past: live(71, 41, 8),
  },
  {
    owner: 'yuki',
    name: 'Mail to Task',
    category,
    description: 'Gives every board a mail address. What you forward to it becomes a task.',
    story: `Every board gets its own address. Forward a mail, and it is a task with its attachments, its sender and a link back.

## Good to know

- Replies from the task go to the person who wrote the mail.
- Signatures, disclaimers and quoted threads are folded away.
- Unknown senders wait in quarantine until somebody lets them in.`,
    screens: ['A mail becomes a task', 'Rules for senders'],
    hasBanner: true,
    past: live(39, 26, 14),
  },
  {
    owner: 'grace',
    name: 'Calendar Sync',
    category,
    description: 'Keeps due dates and your calendar the same, both ways.',
    story: `A due date that is only on the board is a surprise on the day itself. Calendar Sync puts every date into your calendar, and changes the task when you move the entry.

## Supported calendars

- Any calendar that speaks CalDAV
- Calendars of the two large office suites
- A read-only feed for everything else

## What reviewers asked us before

The app asks for access to *one* calendar that you choose, never to all of them. You can take the access back on the page **Settings → Connections**.`,
    screens: ['Due dates in the calendar', 'Choose what is synchronised'],
    hasBanner: true,
    past: waiting(5),
  },
];
