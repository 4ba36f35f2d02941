import type { MailedKind } from '../../../src/modules/events/event-mail.types.js';
import { aRejection, nevertheless } from '../../support/actors.js';
import { pictureChecksAreDue, startPictureWorker, withReviewedPictures } from '../../support/workers.js';
import { type Story, theApp, toAda } from './story.js';

/** Submits a version of a live app, and decides on it. */
const aVersionIs = (act?: 'approveAppVersion' | 'rejectAppVersion', decision: object = {}) =>
  toAda(async (service, developer) => {
    const app = await service.anApp(developer, 'APPROVED', { ...theApp, description: 'It counst.' });
    const input = { appId: app.id, description: 'It counts.' };
    const { id } = await service.client.must<{ id: string }>('createAppVersion', input, developer.token);
    await service.client.must('submitAppVersion', { id }, developer.token);
    if (act) await service.administer(act, { id, ...decision });
  });

const theScreenshots = [
  { url: 'https://pictures.example/one.png' },
  { url: 'https://pictures.example/three.png', caption: '3' },
];

export const appStories = {
  'app.submitted': {
    happens: toAda((service, developer) => service.anApp(developer, 'PENDING', theApp)),
    subject: 'We have received “Zähler ✓ 数”',
    says: ['within 24 to 48 hours', 'withdraw it'],
  },
  'app.approved': {
    happens: toAda(async (service, developer) => {
      const { id, revision } = await service.anApp(developer, 'PENDING', theApp);
      const input = { id, revision, note: 'A fine app.', ...nevertheless };
      await service.administer('approveApp', input);
    }),
    subject: '“Zähler ✓ 数” is approved',
    says: ['approved and public', 'A fine app.', 'see the live listing'],
  },
  'app.rejected': {
    happens: toAda(async (service, developer) => {
      const { id, revision } = await service.anApp(developer, 'PENDING', theApp);
      const reasons = [
        { code: 'IMAGE_QUALITY', field: 'screenshots.0.url', message: 'It is blurred.' },
        { code: 'BROKEN_LINK', field: 'websiteUrl', message: 'It answers 404.' },
        { code: 'POLICY', message: 'It asks for money twice.' },
      ];
      const input = { id, revision, reasons, guidance: 'Mend all three, then write to us.' };
      await service.administer('rejectApp', input);
    }),
    subject: '“Zähler ✓ 数” needs changes',
    says: [
      ...['found 3 problems', 'Screenshot 1', 'Image quality', 'It is blurred.'],
      ...['Website', 'Broken link', 'It answers 404.', 'Policy', 'It asks for money twice.'],
      ...['Mend all three, then write to us.', 'What to do next', 'submit it again', '/submit'],
    ],
  },
  'app.suspended': {
    happens: toAda((service, developer) => service.anApp(developer, 'SUSPENDED', theApp)),
    subject: '“Zähler ✓ 数” was taken down',
    says: ['It misbehaves.', 'no longer public'],
  },
  'app.restored': {
    happens: toAda(async (service, developer) => {
      const { id } = await service.anApp(developer, 'SUSPENDED', theApp);
      await service.administer('restoreApp', { id });
    }),
    subject: '“Zähler ✓ 数” is public again',
    says: ['restored your app'],
  },
  'app.edited': {
    happens: toAda(async (service, developer) => {
      const { id } = await service.anApp(developer, 'APPROVED', { ...theApp, description: 'It counst.' });
      const changes = { description: 'It counts.', websiteUrl: 'https://ada.example' };
      const input = { id, ...changes, screenshots: theScreenshots, reason: 'A slip of the pen.' };
      await service.administer('editApp', input);
    }),
    subject: '“Zähler ✓ 数” was edited by an administrator',
    says: [
      ...['A slip of the pen.', 'Short description', 'It counst.', 'It counts.', 'Website', '(nothing)'],
      ...[
        'https://ada.example',
        'https://pictures.example/one.png',
        'https://pictures.example/three.png (3)',
      ],
    ],
  },
  'app.pictures_changed': {
    happens: toAda(async (service, developer) => {
      const { id } = await service.anApp(developer, 'APPROVED', theApp);
      await withReviewedPictures(service, id);
      // No host resolves.
      const worker = await startPictureWorker(service.databaseUrl, { resolve: async () => [] });
      for (let attempt = 1; attempt <= 3; attempt += 1) {
        await pictureChecksAreDue(service, id);
        await worker.check();
      }
      await worker.close();
    }),
    subject: 'Pictures of “Zähler ✓ 数” are not those that were reviewed',
    says: ['Screenshot 1', 'three times in a row', 'submit a new version'],
  },
  'review.message-received': {
    happens: toAda(async (service, developer) => {
      const { id } = await service.anApp(developer, 'PENDING', theApp);
      await service.administer('messageDeveloper', { id, text: 'Which chat is it for?' });
    }),
    subject: 'A message about “Zähler ✓ 数”',
    says: ['Which chat is it for?', 'messageReviewers'],
  },
  'review.message-sent': {
    happens: async (service) => {
      const developer = await service.aDeveloper({ name: 'Ada Lovelace' });
      const { id } = await service.anApp(developer, 'PENDING', theApp);
      const reviewer = await service.anAdministrator();
      await service.client.must('claimReview', { id }, reviewer.token);
      await service.client.must(
        'messageReviewers',
        { id, text: 'It is for the team chat.' },
        developer.token,
      );
      return reviewer.email;
    },
    subject: 'Ada Lovelace wrote about “Zähler ✓ 数”',
    says: ['It is for the team chat.', 'messageDeveloper', 'you have claimed this app for review'],
  },
  'version.submitted': {
    happens: aVersionIs(),
    subject: 'We have received a new version of “Zähler ✓ 数”',
    says: ['24 to 48 hours', 'The live listing does not change'],
  },
  'version.approved': {
    happens: aVersionIs('approveAppVersion', { revision: 1, note: 'Clearer than before.', ...nevertheless }),
    subject: 'The new version of “Zähler ✓ 数” is approved',
    says: ['description', 'It counst.', 'It counts.', 'Clearer than before.'],
  },
  'version.rejected': {
    happens: aVersionIs('rejectAppVersion', aRejection(1)),
    subject: 'The new version of “Zähler ✓ 数” needs changes',
    says: ['It says too little.', 'Short description', 'Incomplete', 'Say what it does.', 'submitAppVersion'],
  },
} satisfies Partial<Record<MailedKind, Story>>;
