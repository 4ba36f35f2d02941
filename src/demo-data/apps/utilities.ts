import { Environment } from '../../modules/listings/app.entity.js';
import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, live, waiting } from '../demo-app.js';

const category = Category.UTILITIES;

export const utilityApps: DemoApp[] = [
  {
    owner: 'developer',
    name: 'Board Export',
    category,
    description: 'Exports boards as CSV, PDF or Markdown.',
    story: `Your board is yours. Board Export gives it to you as a file, whenever you want.

## Formats

- **CSV** with one line for each task, for spreadsheets
- **PDF** that looks like the board, for people who print
- **Markdown** with all comments, for archives

Exports run in the background, and a mail tells you when the file is ready. Schedules are possible: *every Friday at 18:00, to our file server*.

## Limits

A board of 10,000 tasks takes about a minute. Attachments are linked, not included.`,
    screens: ['Choose the format', 'Scheduled exports'],
    hasBanner: true,
    past: waiting(20),
  },
  {
    owner: 'kofi',
    name: 'Batch Rename',
    category,
    description: 'Renames hundreds of tasks by a pattern, with a preview.',
    story: `Renaming one task is easy. Renaming four hundred is a job for a pattern.

Type what to look for and what to write instead. The preview shows *every* change before it happens, and **Undo** takes all of them back for seven days.`,
    screens: ['Every change in a preview', 'Patterns that you saved'],
    past: live(92, 12, 5),
  },
  {
    owner: 'yuki',
    name: 'Colour Labels',
    category,
    description: 'Colours cards by rules: by age, by owner, by anything in a field.',
    story: `Colour Labels paints your board by rules, so that you see the important cards from across the room.

- Cards that nobody touched for a week slowly turn grey.
- Everything that is due today has a warm border.
- All palettes were checked for the common kinds of colour blindness.

Rules are shared with the team, and each person can switch them off for themselves.`,
    screens: ['A board with rules', 'The editor of rules'],
    past: waiting(9),
  },
  {
    owner: 'marta',
    name: 'Print View',
    category,
    description: 'Prints boards and lists so that they are readable on paper.',
    story: `For walls, for workshops, for people who think with a pen.

Print View fits a board to A4, A3 or Letter, breaks pages between columns, and prints a small code on each card that opens it on a phone.`,
    screens: ['A board on one page', 'Cards to cut out'],
    past: live(64, 20, 4),
  },
  {
    owner: 'lars',
    name: 'Link Checker',
    category,
    environment: Environment.staging,
    description: 'Visits every link on your boards at night and reports those that broke.',
    story: `Links rot. Link Checker visits every link on your boards once a night, slowly and politely, and writes a comment where one is broken.

## What it does not do

- It does not sign in anywhere, so links behind a login are reported as *not checked*.
- It does not follow links to other links.`,
    screens: ['The report of last night', 'A broken link on its task'],
    past: live(33, 35, 2),
  },
];
