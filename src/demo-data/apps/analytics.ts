import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, featured, live, suspended } from '../demo-app.js';

const category = Category.ANALYTICS;

export const analyticsApps: DemoApp[] = [
  {
    owner: 'grace',
    name: 'Burndown Charts',
    category,
    description: 'Shows how much is left, and when it will be done.',
    story: `A burndown chart has one job: to say, early enough, that it will not fit.

## Honest by design

- Work that was added later is drawn *above* the line, so that you see what changed.
- The forecast is a range based on your last six iterations, not a straight line.
- Tasks without an estimate are counted with the median of similar ones, and marked.

## Where to see it

On the board, on a wall screen, or as a picture in your weekly mail.

We explain [the method](https://northwind-apps.example/burndown/method) with all its weaknesses.`,
    screens: ['Four weeks and a forecast', 'What was added later'],
    hasBanner: true,
    past: featured(119, 10, 27),
  },
  {
    owner: 'grace',
    name: 'Workload Map',
    category,
    description: 'Shows who has too much on their plate.',
    story: `Each person is a row, each week is a cell, and the colour says whether it fits. Drag a task to another person and see both rows change.

Part-time weeks, holidays and meetings are taken from the calendar.`,
    screens: ['The next six weeks', 'One person in detail'],
    past: live(86, 33, 8),
  },
  {
    owner: 'marta',
    name: 'Cycle Time',
    category,
    description: 'Measures how long tasks really take, from the first move to the last.',
    story: `How long does a task take? Most teams guess, and most teams guess half of it.

Cycle Time reads the history of your board and answers with three numbers: the median, the 85th percentile, and the column in which tasks wait longest.

- Scatter plot of every finished task
- Comparison with the quarter before
- No ranking of people, on purpose`,
    screens: ['Every task is a dot', 'Where tasks wait'],
    hasBanner: true,
    past: live(41, 16, 10),
  },
  {
    owner: 'yuki',
    name: 'Goal Dashboard',
    category,
    description: 'Connects goals with the tasks that lead to them, on one screen.',
    story: `Goals live in a presentation, tasks live on a board, and nobody knows how they are connected. Goal Dashboard draws the lines.

Each goal shows its measure, its trend and the tasks of this week that move it. A goal without tasks is grey.`,
    screens: ['Goals and their trend', 'Tasks behind a goal'],
    past: live(24, 8, 11),
  },
  {
    owner: 'lars',
    name: 'Activity Monitor',
    category,
    description: 'Measures activity on boards and shows it by person and hour.',
    story: `Activity Monitor counts what happens on your boards and draws it by hour.

- Activity by person
- Comparison of teams
- Export for managers`,
    screens: ['Activity by hour', 'Comparison of teams'],
    past: suspended(60, 37, 6),
  },
];
