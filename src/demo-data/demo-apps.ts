import { Environment } from '../modules/listings/app.entity.js';
import { Category } from '../modules/listings/listing.entity.js';
import { app, type DemoApp, draft, featured, inCategory, live, rejected, waiting } from './demo-app.js';
import { technicalApps } from './demo-technical-apps.js';

/** All apps of the demo data. */
export const demoApps: readonly DemoApp[] = [
  ...inCategory(Category.PRODUCTIVITY, [
    app('developer', 'Time Tracker', featured(126, 21, 46), {
      description: 'Tracks the time you spend on each task. One click starts it, one click stops it.',
      story: `Time Tracker adds a small clock to every task. Press it when you begin, press it again when you stop, and forget about timesheets.

## What you get

- **One clock for everything.** Starting a task stops the one before it, so no minute is counted twice.
- **A week at a glance.** See where Tuesday went, by project, by client or by label.
- Exports as CSV, and as an invoice with *Invoice Maker*.

## How it works

1. Install the app and open any board.
2. Press the clock on a card, or type \`t\` while a task is open.

> After eight hours without a break the clock asks whether you are still there.

Details are in our [privacy notice](https://lighthouse-tools.example/privacy).`,
      screens: ['One click starts the clock', 'The week at a glance', 'Hours by project'],
      hasBanner: true,
    }),
    app('developer', 'Focus Mode', live(101, 30, 12), {
      description: 'Hides everything but the task at hand.',
      story:
        "Boards are full of other people's urgency. Focus Mode hides all of it for as long as you decide.",
      screens: ['One task, nothing else', 'What happened in the meantime'],
    }),
    app('marta', 'Meeting Notes', featured(83, 17, 31), {
      description: 'Turns an agenda into notes, and notes into tasks with an owner and a date.',
      story:
        'Most meetings end with the words "who writes this down?". Meeting Notes writes it down while you talk.',
      screens: ['Notes and tasks side by side', 'Decisions of the last weeks'],
      hasBanner: true,
    }),
    app('yuki', 'Quick Capture', live(58, 9, 17), {
      description: 'Catches a thought from anywhere with one shortcut, and files it later.',
      story:
        'Press **Ctrl + Shift + Space**, type, press Enter. The thought is in your inbox before you have lost it.',
      screens: ['Type and forget', 'The inbox at the end of the day'],
    }),
    app('lars', 'Recurring Tasks', live(71, 41, 8), {
      description:
        'Creates tasks by the calendar: every second Tuesday, the last working day, after each release.',
      story: `Some work comes back. Recurring Tasks creates it at the right moment, and for the right person.

| Rule | Example |
| --- | --- |
| By the calendar | every second Tuesday |
| After something | three days after each release |`,
      screens: ['Rules in plain words', 'The next four weeks'],
    }),
    app('yuki', 'Mail to Task', live(39, 26, 14), {
      description: 'Gives every board a mail address. What you forward to it becomes a task.',
      story:
        'Every board gets its own address. Forward a mail, and it is a task with its attachments, its sender and a link back.',
      screens: ['A mail becomes a task', 'Rules for senders'],
      hasBanner: true,
    }),
    app('grace', 'Calendar Sync', waiting(5), {
      description: 'Keeps due dates and your calendar the same, both ways.',
      story:
        'A due date that is only on the board is a surprise on the day itself. Calendar Sync puts every date into your calendar, and changes the task when you move the entry.',
      screens: ['Due dates in the calendar', 'Choose what is synchronised'],
      hasBanner: true,
    }),
  ]),
  ...inCategory(Category.BUSINESS, [
    app('kofi', 'Client Portal', live(109, 28, 15), {
      description: 'Shows clients the tasks that concern them, and only those.',
      story: 'Clients want to know how far you are. They do not want to learn your board.',
      screens: ['What a client sees', 'What you share'],
      hasBanner: true,
    }),
    app('grace', 'Contract Desk', live(47, 44, 6), {
      description:
        'Follows contracts from the first draft to the renewal, with reminders before each deadline.',
      story:
        'Contract Desk is a board for contracts. Each one knows its parties, its term, its notice period and the person who looks after it.',
      screens: ['Contracts by stage', 'Deadlines of the quarter'],
    }),
    app('marta', 'Deal Pipeline', featured(55, 15, 22), {
      description: 'A sales pipeline for teams that do not want a sales system.',
      story:
        'You know your customers by name, and there are forty of them. You do not need a sales system. You need a board that remembers when you last called.',
      screens: ['The pipeline', 'The forecast as a range'],
      hasBanner: true,
    }),
    app('lars', 'Vendor Register', waiting(61), {
      description: 'Keeps a register of vendors with their contracts, contacts and risk ratings.',
      story:
        'Who delivers what, until when, and what happens if they do not? The register answers these questions for each vendor on one page.',
      screens: ['All vendors with their risk', 'One vendor on one page'],
      hasBanner: true,
    }),
    app('victor', 'Contact Booster', live(66, 22, 9), {
      description: 'Finds more contacts for every deal.',
      story: 'Boost your contacts. More contacts, more deals.',
      screens: ['Contacts', 'More contacts'],
    }),
  ]),
  ...inCategory(Category.COMMUNICATION, [
    app('developer', 'Standup Bot', rejected(4, 19), {
      description: 'Collects yesterday, today and blockers before the daily meeting.',
      story:
        'The bot asks three questions in the morning, and posts the answers as one message. The daily meeting begins with what matters: the blockers.',
      screens: ['Three questions', 'The summary for the team'],
    }),
    app('kofi', 'Chat Bridge', live(98, 23, 18), {
      description: 'Brings comments into your chat, and answers back.',
      story:
        'Half of the team lives on the board, half of it lives in the chat. Chat Bridge lets both stay where they are.',
      screens: ['A thread on both sides', 'What is posted where'],
      hasBanner: true,
    }),
    app('marta', 'Announcements', live(52, 18, 7), {
      description: 'One place for news that everyone has to read, and a way to see who did.',
      story:
        'Important news drowns in channels. An announcement stays on top of every board until its reader has confirmed it.',
      screens: ['News on top of the board', 'Who has read it'],
    }),
    app('yuki', 'Feedback Form', waiting(28), {
      description: 'Puts a feedback form on your website and sorts the answers into a board by topic.',
      story: `A form with two fields, on any page. What people write arrives as a card, next to similar cards.

- We store the text, the page and the time. **No name, no address, no cookie.**
- Cards are deleted after 180 days. The data stays in the region of your workspace.`,
      screens: ['The form on a page', 'Answers by topic'],
      hasBanner: true,
    }),
    app('lars', 'Voice Memos', draft(9), {
      description: 'Records a short voice memo on a task.',
      screens: ['Record a memo', 'Listen to it on the task'],
    }),
  ]),
  ...inCategory(Category.FINANCE, [
    app('developer', 'Invoice Maker', live(94, 24, 19), {
      description: 'Turns tracked hours into invoices that clients understand.',
      story:
        'An invoice that a client understands is paid sooner. Invoice Maker groups hours by what the client ordered, not by how you worked.',
      screens: ['From hours to an invoice', 'Open invoices'],
      hasBanner: true,
    }),
    app('kofi', 'Expense Notes', live(73, 19, 6), {
      description: 'Collects receipts on the tasks they belong to.',
      story:
        'Take a picture of a receipt, choose the task, done. At the end of the month there is one list per project, with all pictures in one file.',
      screens: ['A receipt on a task', 'The list of the month'],
    }),
    app('marta', 'Budget Planner', live(36, 38, 12), {
      description: 'Shows what a project has cost so far and what it will cost in the end.',
      story:
        'Three lines: the plan, the cost so far, and the forecast. As long as they are close together, nobody needs a meeting.',
      screens: ['Plan, cost and forecast', 'Rates by role'],
    }),
    app('victor', 'Payroll Rocket', live(50, 27, 4), {
      description: 'Sends hours to payroll.',
      story: 'Fast payroll for fast teams.',
      screens: ['Send hours', 'Sent hours'],
    }),
  ]),
  ...inCategory(Category.EDUCATION, [
    app('kofi', 'Flash Cards', live(90, 11, 10), {
      description: 'Makes flash cards from checklists.',
      story:
        'Every checklist is a small lesson. Flash Cards turns its points into questions and shows them again just before you would forget them.',
      screens: ['A question', 'Your week'],
      hasBanner: true,
    }),
    app('kofi', 'Course Planner', live(57, 32, 3), {
      description: 'Plans a course as a board, week by week.',
      story:
        'A column for each week, a card for each lesson. Materials, homework and rooms are on the card, and students see what is meant for them.',
      screens: ['A course, week by week', 'What students see'],
      environment: Environment.staging,
    }),
    app('amina', 'Reading List', live(45, 13, 7), {
      description: 'Collects what your team should read, and reminds people kindly.',
      story: 'Articles, papers and books that your team should know, with a reason next to each of them.',
      screens: ['The list of the team', 'Notes on a page'],
    }),
    app('amina', 'Quiz Night', waiting(1), {
      description: 'Builds a quiz from the decisions and documents of your team.',
      story:
        'New colleagues learn faster when it is fun. Quiz Night builds ten questions from your handbook and your decisions, and plays them with the whole team in fifteen minutes.',
      screens: ['A question for everyone', 'The end of the evening'],
      hasBanner: true,
    }),
  ]),
  ...inCategory(Category.OTHER, [
    app('developer', 'Habit Garden', draft(6), {
      description: 'Grows a small garden out of finished routines.',
      story:
        'Water the plants by finishing what you do every day. A garden that is left alone sleeps; nothing dies.',
      // One screenshot is too few for a submission, which the preflight says.
      screens: ['The garden in spring'],
    }),
    app('marta', 'Office Plants', live(22, 5, 6), {
      description: 'Reminds the right person to water the right plant.',
      story: 'Every plant has a card: its name, its place, its thirst and its person.',
      screens: ['Thirsty today', 'A plant and its history'],
    }),
    app('lars', 'Lunch Roulette', live(19, 47, 9), {
      description: 'Invites two colleagues who rarely meet to lunch, once a week.',
      story:
        'Every Monday the wheel turns. Two people who have not worked on a task together for a month get an invitation, a place and an opening question.',
      screens: ['The wheel of the week', 'Past lunches'],
    }),
    app(
      'lars',
      'The Patient Companion for Teams That Cannot Agree on Where Anything Should Be Filed',
      live(15, 34, 7),
      {
        description:
          'Watches where people look for things before they find them, and suggests one place for each kind of document, together with a redirect from every other place where somebody has looked for it at least twice.',
        story: `Where does the travel policy belong? In *Human Resources*, in *Finance*, in *Onboarding*, or in a board called *Misc (do not use)*? Every team has this conversation, and no team has ever ended it.

The Companion does not move anything. It counts, for every kind of document, in which places people look **first**. After four weeks it suggests the place in which most of them would have found it at once.`,
        screens: ['Where people look first', 'A redirect'],
        hasBanner: true,
        folder: 'patient-companion',
      },
    ),
    app('waiting', 'Sticker Sheet', draft(1), {
      description: 'A sheet of stickers for your boards.',
      story: 'Forty stickers for the small things: *thank you*, *well found*, *this can wait*.',
      screens: ['Stickers on a board', 'The whole sheet'],
    }),
  ]),
  ...technicalApps,
];
