import { Environment } from '../../modules/listings/app.entity.js';
import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, featured, live, waiting } from '../demo-app.js';

const category = Category.DEVELOPER_TOOLS;

export const developerToolApps: DemoApp[] = [
  {
    owner: 'grace',
    name: 'Git Link',
    category,
    description: 'Links commits and pull requests to tasks.',
    story: `Write the number of a task into a commit, and the two know each other from then on.

## On the task

- Branches, commits and pull requests, with the state of their checks
- A button that creates a branch with the right name
- The environment in which a change is running

## In the repository

- Every pull request shows the title and the acceptance criteria of its task
- Merging moves the card, if you want it to

## Hosts

Works with every host that sends webhooks for pushes and pull requests. The [list of hosts that we test](https://northwind-apps.example/git-link/hosts) is public.

\`\`\`
git commit -m "Round hours up to six minutes (TT-142)"
\`\`\``,
    screens: ['Commits on a task', 'Pull requests of the week', 'Choose your host'],
    hasBanner: true,
    past: featured(131, 13, 38),
  },
  {
    owner: 'grace',
    name: 'Release Notes',
    category,
    description: 'Writes release notes from the tasks of a milestone.',
    story: `Release Notes collects the finished tasks of a milestone, groups them by label and writes a first version that a person can finish in five minutes.

- Tasks with the label \`internal\` are left out.
- The tone is yours: show it three old release notes, and it follows them.
- Publishes to a page, a mail or a Markdown file.`,
    screens: ['From tasks to text', 'The published page'],
    past: live(77, 25, 9),
  },
  {
    owner: 'grace',
    name: 'Sandbox Helper',
    category,
    environment: Environment.localhost,
    description: 'Fills a local board with sample tasks.',
    story: `For developers of apps: Sandbox Helper fills an empty board with tasks, people and comments that look real.

\`\`\`
sandbox fill --tasks 500 --people 12 --seed 7
\`\`\`

The same seed gives the same board, so tests can rely on it.`,
    screens: ['A board in one second', 'Choose what you need'],
    past: live(112, 6, 3),
  },
  {
    owner: 'yuki',
    name: 'API Console',
    category,
    environment: Environment.localhost,
    description: 'Sends requests to the API of your workspace, with completion and history.',
    story: `Try every request before you write code for it. The console knows the schema, completes what you type, and keeps the last thousand requests on your machine only.

- Copy any request as curl, JavaScript or Python
- Compare two responses side by side
- Tokens are kept in memory and never written to disk`,
    screens: ['Requests with completion', 'The history'],
    past: live(44, 11, 5),
  },
  {
    owner: 'lars',
    name: 'Webhook Tester',
    category,
    environment: Environment.staging,
    description: 'Receives webhooks, shows them, and sends them again.',
    story: `Point a webhook at your private address, and see each delivery with its headers, its signature and its body. Send it again to your own machine when you have changed the code.

Deliveries are deleted after 24 hours.`,
    screens: ['Deliveries as they arrive', 'A failed signature, explained'],
    past: live(28, 31, 3),
  },
  {
    owner: 'marta',
    name: 'Flag Board',
    category,
    environment: Environment.staging,
    description: 'Shows which feature flags are on, for whom, and which task they belong to.',
    story: `A feature flag without an owner lives for ever. Flag Board gives each one a task, an owner and a date on which somebody has to decide.

- Reads flags from your own service through a small adapter
- Shows who switched what, and when
- Lists flags that have been fully on for thirty days: those can go`,
    screens: ['Flags and their owners', 'Flags that can go'],
    past: waiting(2),
  },
];
