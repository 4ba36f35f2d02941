import type { AccountCaller } from '../auth/caller.js';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';

/** A developer of the demo data. */
export interface DemoDeveloper {
  accountUserId: string;
  name: string;
  companyName: string | null;
  websiteUrl: string | null;
  bio: string | null;
  registeredDaysAgo: number;
  status: 'verified' | 'unverified' | 'suspended';
  /** The reason of a suspension. */
  reason?: string;
}

/** Returns a developer with the account that the key suggests, and a website that is called like the company. */
const developer = (
  key: string,
  registeredDaysAgo: number,
  profile: Partial<DemoDeveloper> & Pick<DemoDeveloper, 'name'>,
): DemoDeveloper => ({
  accountUserId: `demo-${key}`,
  companyName: null,
  websiteUrl: `https://${(profile.companyName ?? key).toLowerCase().replaceAll(/[^a-z]+/g, '-')}.example`,
  bio: null,
  status: 'verified',
  registeredDaysAgo,
  ...profile,
});

export const demoDevelopers = {
  developer: developer('lighthouse-tools', 140, {
    accountUserId: DEMO_ACCOUNTS.developer.accountUserId,
    name: 'Demo Developer',
    companyName: 'Lighthouse Tools',
    bio: 'A team of three in Lisbon. We build small tools that do one thing, and answer every message ourselves.',
  }),
  grace: developer('grace', 150, {
    name: 'Grace Rivera',
    companyName: 'Northwind Apps',
    bio: 'Northwind makes boards and repositories talk to each other. Founded by two release managers who were tired of spreadsheets.',
  }),
  kofi: developer('kofi', 132, {
    name: 'Kofi Mensah',
    bio: 'Independent developer in Accra. Language models by day, flash cards by night.',
  }),
  marta: developer('marta', 118, {
    name: 'Marta Kowalska',
    companyName: 'Fjord & Field',
    bio: 'Calm software for busy teams. Everything we sell, we use ourselves first.',
  }),
  yuki: developer('yuki', 104, {
    name: 'Yuki Tanaka',
    companyName: 'Paper Crane Labs',
    bio: 'Paper Crane Labs folds big problems into small ones.',
  }),
  lars: developer('lars', 97, {
    name: 'Lars-Erik Sundström-Oyelaran van der Westhuizen',
    companyName: 'Sundström & van der Westhuizen Cooperative for Thoughtful Workplace Software',
    websiteUrl: 'https://thoughtful-workplace-software.example',
    bio: 'A cooperative of nineteen people in four countries. Every member has one vote, and every app has one owner.',
  }),
  amina: developer('amina', 76, {
    name: 'أمينة حداد',
    companyName: 'استوديو نقطة',
    websiteUrl: 'https://nuqta.example',
    bio: 'نصنع أدوات عمل تتحدث العربية من اليوم الأول، وتعمل من اليمين إلى اليسار كما ينبغي.',
  }),
  waiting: developer('waiting', 1, {
    accountUserId: DEMO_ACCOUNTS.waiting.accountUserId,
    name: 'Wanda Waiting',
    companyName: 'Brand New Studio',
    bio: 'We are new here. Our first app is a sheet of stickers for boards.',
    status: 'unverified',
  }),
  oskar: developer('oskar', 6, {
    name: 'Oskar Lindqvist',
    companyName: 'Lindqvist Consulting AB',
    bio: 'Twelve years of project management for hospitals. I want to publish the checklists that my clients ask for most.',
    status: 'unverified',
  }),
  priya: developer('priya', 3, {
    name: 'Priya Raman',
    companyName: 'Loomwork Analytics Private Limited',
    bio: 'Loomwork reads operational data of more than 200 factories. The app that we plan shows the state of a production line next to the tasks about it.',
    status: 'unverified',
  }),
  tomas: developer('tomas', 0.4, { name: 'Tomás Herrera', websiteUrl: null, status: 'unverified' }),
  bestApps: developer('best-apps', 0.1, {
    name: 'BEST APPS 4U',
    companyName: 'Best Apps 4U Worldwide',
    websiteUrl: 'http://best-apps-4u.example/?ref=mkt-991',
    bio: 'No.1 apps!!! 10000+ happy customers. Ask us for 5-star reviews, fast and cheap.',
    status: 'unverified',
  }),
  victor: developer('victor', 88, {
    name: 'Victor Exeter',
    companyName: 'Growth Rocket',
    bio: 'Growth, but faster.',
    status: 'suspended',
    reason:
      'Both apps sent contacts of their users to an advertising network without asking. Three users reported it, and the traffic of our test installation confirms it.',
  }),
  impostor: developer('impostor', 34, {
    name: 'Northwind Apps Support',
    companyName: 'Northwind Apps',
    websiteUrl: 'https://northwind-apps-support.example',
    status: 'suspended',
    reason: 'The account pretended to belong to Northwind Apps. Its real owner told us about it.',
  }),
} satisfies Record<string, DemoDeveloper>;

/** The name by which the demo data refers to a developer. */
export type DemoOwner = keyof typeof demoDevelopers;

/** Returns an account of the demo data that calls a service. */
export const demoCaller = (account: Pick<AccountCaller, 'accountUserId'> & Partial<AccountCaller>) => ({
  kind: 'account' as const,
  isAdmin: false,
  email: null,
  name: null,
  developer: null,
  ...account,
});
