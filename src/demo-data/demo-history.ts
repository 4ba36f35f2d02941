import { RejectionCode } from '../modules/listings/rejection.types.js';

const day = 24;

/** A rejection of the demo data. */
export interface DemoRejection {
  reasons: { code: RejectionCode; field?: string; message: string }[];
  guidance: string;
}

const { INCOMPLETE, BROKEN_LINK, IMAGE_QUALITY, POLICY, SECURITY } = RejectionCode;

/** The last decision on the apps that are rejected now. */
export const rejections: Record<string, DemoRejection> = {
  'Standup Bot': {
    reasons: [
      { code: INCOMPLETE, field: 'description', message: 'It does not say which chats are supported.' },
      {
        code: IMAGE_QUALITY,
        field: 'screenshots.0',
        message: 'It shows an older design than the second one.',
      },
    ],
    guidance: 'Name the chats in the description and replace the first screenshot, then submit again.',
  },
  'Auto Tagger': {
    reasons: [
      {
        code: SECURITY,
        field: 'longDescription',
        message: 'It does not say to whom the app sends the tasks.',
      },
      { code: BROKEN_LINK, field: 'websiteUrl', message: 'The privacy notice does not open.' },
    ],
    guidance: 'Tell users where their tasks are processed, and what happens to the examples.',
  },
};

/** Submissions that were rejected before the present one: when they were submitted and how long they waited, in hours. */
export const earlierRejections: Record<string, DemoRejection & { hoursAgo: number; waitHours: number }> = {
  'Feedback Form': {
    hoursAgo: 150,
    waitHours: 31,
    reasons: [
      { code: INCOMPLETE, field: 'longDescription', message: 'How long are the answers stored?' },
      { code: POLICY, field: 'longDescription', message: 'It must name the region in which data is stored.' },
      { code: IMAGE_QUALITY, field: 'bannerUrl', message: 'The text on the banner is cut off.' },
    ],
    guidance: 'This is close. Add the two facts about the data and submit again: we will look at it first.',
  },
  'Mail to Task': {
    hoursAgo: 45 * day,
    waitHours: 29,
    reasons: [{ code: SECURITY, message: 'Anybody who knows the address can create tasks.' }],
    guidance: 'Explain what happens with mails of unknown senders.',
  },
  'Lunch Roulette': {
    hoursAgo: 24 * day,
    waitHours: 14,
    reasons: [{ code: POLICY, field: 'screenshots.1', message: 'It shows names of real people.' }],
    guidance: 'Take new screenshots with invented names.',
  },
};

/** A new version of a live app. */
interface DemoVersion {
  app: string;
  /** Time of its submission. */
  hoursAgo: number;
  /** Time from the submission to the decision, in hours; absent if it waits for its review. */
  waitHours?: number;
  /** Why it was rejected; absent if it was approved. */
  rejected?: string;
  changes: { description?: string; versionNumber?: string; releaseNotes: string };
  /** The caption of a screenshot that it adds. */
  addedScreen?: string;
}

export const versions: readonly DemoVersion[] = [
  {
    app: 'Smart Summary',
    hoursAgo: 29 * day,
    waitHours: 52,
    changes: { versionNumber: '1.4.0', releaseNotes: 'Names the **model** that wrote a summary.' },
  },
  {
    app: 'Chat Bridge',
    hoursAgo: 23 * day,
    waitHours: 30,
    rejected: 'Say which hours the digests use.',
    changes: { releaseNotes: 'Digests.' },
  },
  {
    app: 'Burndown Charts',
    hoursAgo: 20 * day,
    waitHours: 16,
    changes: { versionNumber: '3.2', releaseNotes: 'Weekends can be left out of the ideal line.' },
  },
  {
    app: 'Time Tracker',
    hoursAgo: 13 * day,
    waitHours: 12,
    changes: {
      versionNumber: '2.3.0',
      releaseNotes:
        '- **Privacy**: hours are yours until you approve them\n- Rounding to a quarter of an hour\n- Fixed: a clock that ran on after the task was closed',
    },
  },
  {
    app: 'Cycle Time',
    hoursAgo: 9 * day,
    waitHours: 42,
    rejected: 'The second screenshot shows names of real people.',
    changes: { releaseNotes: 'Comparison with the quarter before.' },
  },
  {
    app: 'Meeting Notes',
    hoursAgo: 5 * day,
    waitHours: 23,
    changes: { versionNumber: '1.8.1', releaseNotes: 'Agendas can be copied from the last meeting.' },
  },
  {
    app: 'Announcements',
    hoursAgo: 3.4 * day,
    waitHours: 7,
    changes: { releaseNotes: 'Announcements expire by themselves.' },
  },
  {
    app: 'Office Plants',
    hoursAgo: 2 * day,
    waitHours: 19,
    changes: { releaseNotes: 'Works for fish, too.' },
  },
  {
    app: 'Invoice Maker',
    hoursAgo: 14,
    changes: {
      description: 'Turns tracked hours into invoices that clients understand, in 24 languages.',
      releaseNotes: 'Choose the language for each client. Dates, numbers and legal notes follow it.',
    },
    addedScreen: 'The same invoice in two languages',
  },
];

/** Messages between developers and reviewers: hours ago, app, sender and text. */
export const messages: readonly [number, string, 'developer' | 'reviewer', string][] = [
  [112, 'Feedback Form', 'developer', 'Is "180 days, then deleted" precise enough?'],
  [108, 'Feedback Form', 'reviewer', 'Yes. Please add the region, such as "that of your workspace".'],
  [28.2, 'Feedback Form', 'developer', 'Both facts are in the listing now.'],
  [60, 'Standup Bot', 'developer', 'We support every chat with incoming webhooks. Should we list them?'],
  [55, 'Standup Bot', 'reviewer', 'Please name two or three that you have tested.'],
  [12, 'Vendor Register', 'developer', 'We announced the app for Thursday. Is anything missing?'],
  [19, 'Board Export', 'developer', 'For your test: the board "Sample" has 10,000 tasks.'],
  [9 * day, 'Auto Tagger', 'developer', 'We are moving the model to our own servers, in three weeks.'],
];

/** Why the app that is suspended was taken down, and when. */
export const takenDown = {
  hoursAgo: 7.5 * day,
  reason: 'Since its last update the app records which keys people press. This is not in the listing.',
};
