import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import { Environment } from '../modules/apps/app.entity.js';
import { Category } from '../modules/apps/listing.entity.js';

/** A developer of the demo data; the playground's buttons sign in with these accounts. */
export interface DemoDeveloper {
  accountUserId: string;
  name: string;
  companyName: string | null;
  verified: boolean;
}

export const demoDevelopers: DemoDeveloper[] = [
  {
    accountUserId: DEMO_ACCOUNTS.developer.accountUserId,
    name: 'Demo Developer',
    companyName: 'Lighthouse Tools',
    verified: true,
  },
  { accountUserId: 'demo-grace', name: 'Grace Rivera', companyName: 'Northwind Apps', verified: true },
  { accountUserId: 'demo-kofi', name: 'Kofi Mensah', companyName: null, verified: true },
  { accountUserId: 'demo-waiting', name: 'Wanda Waiting', companyName: 'Brand New Studio', verified: false },
];

/** The state that a demo app is brought to. */
export type DemoStage = 'draft' | 'pending' | 'rejected' | 'live' | 'featured';

export interface DemoApp {
  owner: string;
  name: string;
  description: string;
  category: Category;
  environment: Environment;
  stage: DemoStage;
  installs: number;
}

const { production, staging, localhost } = Environment;
const app = (
  owner: string,
  name: string,
  description: string,
  category: Category,
  [stage, installs, environment = production]: [DemoStage, number, Environment?],
): DemoApp => ({ owner: `demo-${owner}`, name, description, category, stage, installs, environment });

export const demoApps: DemoApp[] = [
  app(
    'developer',
    'Time Tracker',
    'Tracks the time you spend on each task. One click starts it, one click stops it.',
    Category.PRODUCTIVITY,
    ['featured', 64],
  ),
  app('developer', 'Focus Mode', 'Hides everything but the task at hand.', Category.PRODUCTIVITY, [
    'live',
    21,
  ]),
  app(
    'developer',
    'Invoice Maker',
    'Turns tracked hours into invoices that clients understand.',
    Category.FINANCE,
    ['live', 33],
  ),
  app('developer', 'Board Export', 'Exports boards as CSV, PDF or Markdown.', Category.UTILITIES, [
    'pending',
    0,
  ]),
  app(
    'developer',
    'Standup Bot',
    'Collects yesterday, today and blockers before the daily meeting.',
    Category.COMMUNICATION,
    ['rejected', 0],
  ),
  app('developer', 'Habit Garden', 'Grows a small garden out of finished routines.', Category.OTHER, [
    'draft',
    0,
  ]),
  app('grace', 'Git Link', 'Links commits and pull requests to tasks.', Category.DEVELOPER_TOOLS, [
    'featured',
    58,
  ]),
  app(
    'grace',
    'Release Notes',
    'Writes release notes from the tasks of a milestone.',
    Category.DEVELOPER_TOOLS,
    ['live', 17],
  ),
  app('grace', 'Burndown Charts', 'Shows how much is left, and when it will be done.', Category.ANALYTICS, [
    'featured',
    41,
  ]),
  app('grace', 'Workload Map', 'Shows who has too much on their plate.', Category.ANALYTICS, ['live', 12]),
  app('grace', 'Sandbox Helper', 'Fills a local board with sample tasks.', Category.DEVELOPER_TOOLS, [
    'live',
    5,
    localhost,
  ]),
  app(
    'grace',
    'Calendar Sync',
    'Keeps due dates and your calendar the same, both ways.',
    Category.PRODUCTIVITY,
    ['pending', 0],
  ),
  app('kofi', 'Smart Summary', 'Summarises long threads into three sentences.', Category.AI_ML, [
    'featured',
    47,
  ]),
  app('kofi', 'Duplicate Finder', 'Finds tasks that say the same in other words.', Category.AI_ML, [
    'live',
    19,
  ]),
  app(
    'kofi',
    'Client Portal',
    'Shows clients the tasks that concern them, and only those.',
    Category.BUSINESS,
    ['live', 26],
  ),
  app('kofi', 'Expense Notes', 'Collects receipts on the tasks they belong to.', Category.FINANCE, [
    'live',
    9,
  ]),
  app('kofi', 'Flash Cards', 'Makes flash cards from checklists.', Category.EDUCATION, ['live', 14]),
  app('kofi', 'Course Planner', 'Plans a course as a board, week by week.', Category.EDUCATION, [
    'live',
    7,
    staging,
  ]),
  app('kofi', 'Chat Bridge', 'Brings comments into your chat, and answers back.', Category.COMMUNICATION, [
    'live',
    30,
  ]),
  app('kofi', 'Batch Rename', 'Renames hundreds of tasks by a pattern, with a preview.', Category.UTILITIES, [
    'live',
    11,
  ]),
];
