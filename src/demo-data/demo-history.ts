import { RejectionCode } from '../modules/listings/rejection.types.js';

/** A rejection of the demo data. */
interface DemoRejection {
  reasons: { code: RejectionCode; field?: string; message: string }[];
  guidance: string;
}

const { INCOMPLETE, MISLEADING, BROKEN_LINK, IMAGE_QUALITY, POLICY, SECURITY } = RejectionCode;

const reject = (guidance: string, ...reasons: DemoRejection['reasons']): DemoRejection => ({
  reasons,
  guidance,
});

/** The last decision on the apps that are rejected now. */
export const rejections: Record<string, DemoRejection> = {
  'Standup Bot': reject(
    'Name the chat products in the description and replace the first screenshot, then submit again.',
    {
      code: INCOMPLETE,
      field: 'description',
      message: 'It does not say which chat products are supported.',
    },
    {
      code: IMAGE_QUALITY,
      field: 'screenshots.0',
      message: 'The first screenshot shows an older design than the second one.',
    },
  ),
  'Auto Tagger': reject(
    'Tell users where their tasks are processed, and what happens to the examples.',
    {
      code: SECURITY,
      field: 'longDescription',
      message:
        'The app sends the text of every task to another company. The listing does not say to which one.',
    },
    { code: BROKEN_LINK, field: 'websiteUrl', message: 'The privacy notice on the website does not open.' },
  ),
};

/** Submissions that were rejected before the present one: when they were submitted and how long they waited, in hours. */
export const earlierRejections: Record<string, DemoRejection & { hoursAgo: number; waitHours: number }> = {
  'Feedback Form': {
    hoursAgo: 150,
    waitHours: 31,
    ...reject(
      'This is close. Add the two facts about the data and submit again: we will look at it first.',
      {
        code: INCOMPLETE,
        field: 'longDescription',
        message: 'The listing does not say how long the answers are stored.',
      },
      {
        code: POLICY,
        field: 'longDescription',
        message: 'An app that collects data from visitors must name the region in which it is stored.',
      },
      { code: IMAGE_QUALITY, field: 'bannerUrl', message: 'The text on the banner is cut off.' },
    ),
  },
  'Contract Desk': {
    hoursAgo: 52 * 24,
    waitHours: 40,
    ...reject('Link to the page of the app, and not to a form for sales calls.', {
      code: BROKEN_LINK,
      field: 'websiteUrl',
      message: 'The website asks for an e-mail address before it shows anything.',
    }),
  },
  'Budget Planner': {
    hoursAgo: 41 * 24,
    waitHours: 22,
    ...reject('Correct the sentence about the forecast.', {
      code: MISLEADING,
      field: 'description',
      message: 'The app cannot predict the end of a project to the day.',
    }),
  },
  'Mail to Task': {
    hoursAgo: 45 * 24,
    waitHours: 29,
    ...reject('Explain what happens with mails of unknown senders.', {
      code: SECURITY,
      message: 'Anybody who knows the address can create tasks.',
    }),
  },
  'Lunch Roulette': {
    hoursAgo: 24 * 24,
    waitHours: 14,
    ...reject('Take new screenshots with invented names.', {
      code: POLICY,
      field: 'screenshots.1',
      message: 'The screenshot shows names of real people.',
    }),
  },
  'Task Estimator': {
    hoursAgo: 34 * 24,
    waitHours: 8,
    ...reject('Use a square logo of at least 512×512 pixels.', {
      code: IMAGE_QUALITY,
      field: 'logoUrl',
      message: 'The logo is stretched.',
    }),
  },
};

/** Past versions, which added the last part of the long description: when they were submitted, in hours, and their wait. */
export const pastVersions: readonly {
  app: string;
  hoursAgo: number;
  waitHours: number;
  rejected?: string;
  /** The release that the version announces. */
  versionNumber?: string;
  releaseNotes?: string;
}[] = [
  {
    app: 'Smart Summary',
    hoursAgo: 29 * 24,
    waitHours: 52,
    versionNumber: '1.4.0',
    releaseNotes: '- Names the **model** that wrote a summary\n- Threads of more than 200 comments',
  },
  { app: 'Chat Bridge', hoursAgo: 23 * 24, waitHours: 30, rejected: 'Say which hours the digests use.' },
  {
    app: 'Burndown Charts',
    hoursAgo: 20 * 24,
    waitHours: 16,
    versionNumber: '3.2',
    releaseNotes: 'Weekends can be left out of the ideal line.',
  },
  {
    app: 'Time Tracker',
    hoursAgo: 13 * 24,
    waitHours: 12,
    versionNumber: '2.3.0',
    releaseNotes:
      '- **Privacy**: hours are yours until you approve them\n- Rounding to a quarter of an hour\n- Fixed: a clock that ran on after the task was closed',
  },
  {
    app: 'Cycle Time',
    hoursAgo: 9 * 24,
    waitHours: 42,
    rejected: 'The second screenshot shows names of real people.',
  },
  {
    app: 'Meeting Notes',
    hoursAgo: 5 * 24,
    waitHours: 23,
    versionNumber: '1.8.1',
    releaseNotes: 'Agendas can be copied from the last meeting.',
  },
  { app: 'Announcements', hoursAgo: 3.4 * 24, waitHours: 7 },
  { app: 'Office Plants', hoursAgo: 2 * 24, waitHours: 19 },
];

/** A new version of a live app that waits for its review. */
export const waitingVersion = {
  app: 'Invoice Maker',
  hoursAgo: 14,
  description: 'Turns tracked hours into invoices that clients understand, in 24 languages.',
  addition: `## New: invoices in 24 languages

Choose the language for each client. Dates, numbers and legal notes follow it; your own texts stay as you wrote them.`,
  caption: 'The same invoice in two languages',
};

/** Messages between developers and reviewers. */
export const messages: readonly {
  app: string;
  hoursAgo: number;
  from: 'developer' | 'reviewer';
  text: string;
}[] = [
  {
    app: 'Feedback Form',
    hoursAgo: 112,
    from: 'developer',
    text: 'Thank you for the clear reasons. Is "180 days, then deleted" precise enough, or do you need the exact procedure?',
  },
  {
    app: 'Feedback Form',
    hoursAgo: 108,
    from: 'reviewer',
    text: 'That sentence is enough. Please add the region as well, for example "in the region of your workspace".',
  },
  {
    app: 'Feedback Form',
    hoursAgo: 28.2,
    from: 'developer',
    text: 'Both facts are in the listing now. The data sheet is public too.',
  },
  {
    app: 'Standup Bot',
    hoursAgo: 60,
    from: 'developer',
    text: 'We support every chat that accepts incoming webhooks. Should we list products by name, or is this sentence better?',
  },
  {
    app: 'Standup Bot',
    hoursAgo: 55,
    from: 'reviewer',
    text: 'Please name two or three that you have tested. Users search for these names.',
  },
  {
    app: 'Vendor Register',
    hoursAgo: 12,
    from: 'developer',
    text: 'Good morning! We announced the app for Thursday. Is anything missing from our side?',
  },
  {
    app: 'Board Export',
    hoursAgo: 19,
    from: 'developer',
    text: 'For your test: the board "Sample" has 10,000 tasks. The account is "reviewer", and the password is in the field that you asked us to use.',
  },
  {
    app: 'Auto Tagger',
    hoursAgo: 9 * 24,
    from: 'developer',
    text: 'We are moving the model to our own servers. It will take about three weeks.',
  },
];

/** Why an app was taken down, and when, in hours before the demo data is created. */
export const takenDown = {
  'Activity Monitor': {
    hoursAgo: 7.5 * 24,
    reason:
      'Since its last update the app records which keys people press. This is not in the listing, and users of two workspaces reported it.',
  },
} satisfies Record<string, { hoursAgo: number; reason: string }>;
