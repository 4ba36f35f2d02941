import { Category } from '../../modules/listings/listing.entity.js';
import { type DemoApp, featured, live, waiting } from '../demo-app.js';

const category = Category.BUSINESS;

export const businessApps: DemoApp[] = [
  {
    owner: 'kofi',
    name: 'Client Portal',
    category,
    description: 'Shows clients the tasks that concern them, and only those.',
    story: `Clients want to know how far you are. They do not want to learn your board.

## For your clients

A page with your logo, the tasks that you share, and one button: *ask a question*. No account, no password, one link that you can take back.

## For you

- Share by label: everything marked \`client\` is visible, nothing else.
- Internal comments stay internal. The app shows them with a lock, so that nobody has to guess.
- See when a client last looked.`,
    screens: ['What a client sees', 'What you share'],
    hasBanner: true,
    past: live(109, 28, 15),
  },
  {
    owner: 'grace',
    name: 'Contract Desk',
    category,
    description:
      'Follows contracts from the first draft to the renewal, with reminders before each deadline.',
    story: `Contract Desk is a board for contracts. Each one knows its parties, its term, its notice period and the person who looks after it.

- Reminders 90, 30 and 7 days before a notice period ends
- A register that your auditors can read
- Signatures through the provider that you already use`,
    screens: ['Contracts by stage', 'Deadlines of the quarter'],
    past: live(47, 44, 6),
  },
  {
    owner: 'marta',
    name: 'Deal Pipeline',
    category,
    description: 'A sales pipeline for teams that do not want a sales system.',
    story: `You know your customers by name, and there are forty of them. You do not need a sales system. You need a board that remembers when you last called.

## Stages that fit you

Start with *Talk, Offer, Yes, No* and change them whenever you like. Every deal has a value, a chance and a next step, and the app tells you which deals have no next step.

## Forecast

The forecast is a range, not a number:

1. deals with a signature,
2. deals with a date,
3. everything else.

Read [why we show a range](https://fjord-and-field.example/forecast).`,
    screens: ['The pipeline', 'The forecast as a range'],
    hasBanner: true,
    past: featured(55, 15, 22),
  },
  {
    owner: 'lars',
    name: 'Vendor Register',
    category,
    description: 'Keeps a register of vendors with their contracts, contacts and risk ratings.',
    story: `Who delivers what, until when, and what happens if they do not? The register answers these questions for each vendor on one page.

## Contents of an entry

- Contacts, contracts and certificates, with their expiry dates
- A risk rating with the reason for it
- Everything that your teams noted about the vendor

## For auditors

An auditor gets a read-only link that shows the register as it was on any day of the last seven years.`,
    screens: ['All vendors with their risk', 'One vendor on one page'],
    hasBanner: true,
    past: waiting(61),
  },
  {
    owner: 'victor',
    name: 'Contact Booster',
    category,
    description: 'Finds more contacts for every deal.',
    story: 'Boost your contacts. More contacts, more deals.',
    screens: ['Contacts', 'More contacts'],
    past: live(66, 22, 9),
  },
];
