import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, live } from '../demo-app.js';

const category = Category.FINANCE;

export const financeApps: DemoApp[] = [
  {
    owner: 'developer',
    name: 'Invoice Maker',
    category,
    description: 'Turns tracked hours into invoices that clients understand.',
    story: `An invoice that a client understands is paid sooner. Invoice Maker groups hours by what the client ordered, not by how you worked.

## From hours to an invoice

1. Choose a client and a month.
2. Check the hours from *Time Tracker*, or type them in.
3. Send the invoice as a PDF, or as an electronic invoice (EN 16931).

## Details that matter

- Invoice numbers without gaps
- Several tax rates on one invoice
- Reminders that stay friendly until the third one

Questions about tax? We [wrote down](https://lighthouse-tools.example/invoices/tax) what we know, and when to ask somebody else.`,
    screens: ['From hours to an invoice', 'Open invoices'],
    hasBanner: true,
    past: live(94, 24, 19),
  },
  {
    owner: 'kofi',
    name: 'Expense Notes',
    category,
    description: 'Collects receipts on the tasks they belong to.',
    story: `Take a picture of a receipt, choose the task, done. At the end of the month there is one list per project, with all pictures in one file.

- Reads the amount, the currency and the date
- Converts with the rate of the day
- Approvals with two buttons`,
    screens: ['A receipt on a task', 'The list of the month'],
    past: live(73, 19, 6),
  },
  {
    owner: 'marta',
    name: 'Budget Planner',
    category,
    description: 'Shows what a project has cost so far and what it will cost in the end.',
    story: `Three lines: the plan, the cost so far, and the forecast. As long as they are close together, nobody needs a meeting.

## How the forecast is made

Finished work is compared with its estimate, and the rest of the plan is corrected by the same factor. You can switch this off for single tasks.

## Currencies and rates

Rates per person, per role or per project; they can change over time. People without permission see hours and no money.`,
    screens: ['Plan, cost and forecast', 'Rates by role'],
    past: live(36, 38, 12),
  },
  {
    owner: 'victor',
    name: 'Payroll Rocket',
    category,
    description: 'Sends hours to payroll.',
    story: 'Fast payroll for fast teams.',
    screens: ['Send hours', 'Sent hours'],
    past: live(50, 27, 4),
  },
];
