import { DeveloperStatus } from '../auth/developer-status.js';
import { Scope } from '../auth/scope.js';
import { Environment } from '../modules/listings/app.entity.js';
import type { AppVersion } from '../modules/listings/app-version.entity.js';
import { RejectionCode } from '../modules/listings/rejection.types.js';
import { type DemoApp, folderOf } from './demo-app.js';
import { demoApps } from './demo-apps.js';
import { type DemoDeveloper, type DemoOwner, demoCaller, demoDevelopers } from './demo-developers.js';
import {
  type DemoRejection,
  earlierRejections,
  messages,
  rejections,
  takenDown,
  versions,
} from './demo-history.js';
import type { DemoTimeline } from './demo-timeline.js';

const day = 24;
/** Hours between the creation of an app and its first submission, and between a registration and its verification. */
const preparationHours = 20;

/** Adds everything that the demo accounts do, except what only has figures: installs and ratings. */
export function addActs(timeline: DemoTimeline): void {
  for (const [owner, developer] of Object.entries(demoDevelopers))
    addDeveloper(timeline, owner as DemoOwner, developer);
  for (const app of demoApps) addApp(timeline, app);
  for (const version of versions) addVersion(timeline, version);
  addMessages(timeline);
  addKeys(timeline);
}

function addDeveloper(timeline: DemoTimeline, owner: DemoOwner, demo: DemoDeveloper): void {
  const { developers, developerAdmin } = timeline.services;
  const { registeredDaysAgo, status, reason = '', ...profile } = demo;
  const { accountUserId, name } = profile;
  const email = `${accountUserId}@example.com`;
  const account = demoCaller({ accountUserId, name, email, emailProven: status !== 'unverified' });
  const registered = registeredDaysAgo * day;
  let id = '';
  timeline.at(registered, async () => {
    ({ id } = await developers.register(account, { ...profile, email }));
    timeline.developers.set(owner, { ...account, developer: { id, status: DeveloperStatus.UNVERIFIED } });
  });
  if (status === 'unverified') return;
  timeline.at(registered - preparationHours, () => developerAdmin.verify(timeline.administrator(), { id }));
  if (status === 'suspended')
    timeline.at(registered / 4, () => developerAdmin.suspend(timeline.administrator(), id, reason));
}

function addApp(timeline: DemoTimeline, demo: DemoApp): void {
  const { hoursAgo, waitHours, stage } = demo.past;
  const earlier = earlierRejections[demo.name];
  const isDraft = stage === 'draft';
  const created = (earlier?.hoursAgo ?? hoursAgo) + (isDraft ? 0 : preparationHours);
  timeline.at(created, () => create(timeline, demo));
  if (isDraft) return;
  if (earlier) {
    submit(timeline, demo.name, earlier.hoursAgo);
    reject(timeline, demo.name, earlier.hoursAgo - earlier.waitHours, earlier);
    improve(timeline, demo, earlier);
  }
  submit(timeline, demo.name, hoursAgo);
  if (stage === 'rejected') reject(timeline, demo.name, hoursAgo - waitHours, rejections[demo.name]!);
  else if (stage !== 'waiting') publish(timeline, demo);
}

async function create(timeline: DemoTimeline, demo: DemoApp): Promise<void> {
  const { name, description, category, environment = Environment.production } = demo;
  const app = await timeline.services.apps.create(timeline.ownerOf(name), {
    name,
    description,
    category,
    environment,
    ...timeline.urls.of(demo),
    // That of a rejected app is completed later, by `improve`.
    longDescription: name in earlierRejections ? description : (demo.story ?? null),
    ...(demo.past.dailyInstalls > 10 && { oauthClientId: `${folderOf(demo)}-client` }),
  });
  timeline.apps.set(name, app);
}

function submit(timeline: DemoTimeline, name: string, hoursAgo: number): void {
  timeline.at(hoursAgo, async () => {
    const app = await timeline.services.apps.submit(timeline.ownerOf(name), timeline.app(name).id);
    timeline.apps.set(name, app);
  });
}

function reject(timeline: DemoTimeline, name: string, hoursAgo: number, rejection: DemoRejection): void {
  const { reasons, guidance } = rejection;
  timeline.at(hoursAgo, () =>
    timeline.services.review.reject(timeline.administrator(), {
      ...revisionOf(timeline.app(name)),
      reasons,
      guidance,
    }),
  );
}

/** Completes the description of a rejected app and marks the reasons about it as addressed, before its next submission. */
function improve(timeline: DemoTimeline, { name, story, past }: DemoApp, { reasons }: DemoRejection): void {
  const { apps, messages } = timeline.services;
  timeline.at(past.hoursAgo + 2, () =>
    apps.update(timeline.ownerOf(name), timeline.app(name).id, { longDescription: story ?? null }),
  );
  for (const [index, { field = 'longDescription' }] of reasons.entries())
    if (field === 'longDescription')
      timeline.at(past.hoursAgo + 1, () =>
        messages.addressReason(timeline.ownerOf(name), timeline.app(name).id, index, true),
      );
}

function publish(timeline: DemoTimeline, { name, past: { stage, hoursAgo, waitHours } }: DemoApp): void {
  const { review } = timeline.services;
  const published = hoursAgo - waitHours;
  timeline.at(published, () => review.approve(timeline.administrator(), revisionOf(timeline.app(name))));
  if (stage === 'featured')
    timeline.at(published / 2, () => review.feature(timeline.administrator(), timeline.app(name).id, true));
  if (stage === 'suspended')
    timeline.at(takenDown.hoursAgo, () =>
      review.suspend(timeline.administrator(), timeline.app(name).id, takenDown.reason),
    );
}

function addVersion(timeline: DemoTimeline, demo: (typeof versions)[number]): void {
  const { app: name, hoursAgo, waitHours, rejected, addedScreen: caption } = demo;
  const { versions: service, versionReview } = timeline.services;
  let version: AppVersion;
  timeline.at(hoursAgo + 3, async () => {
    const { id, screenshots } = timeline.app(name);
    const url = timeline.urls.picture(folderOf({ name }), `screen-${screenshots.length + 1}`);
    version = await service.create(timeline.ownerOf(name), id, {
      ...demo.changes,
      ...(caption && { screenshots: [...screenshots, { url, caption }] }),
    });
  });
  timeline.at(hoursAgo, async () => {
    version = await service.submit(timeline.ownerOf(name), version.id);
  });
  if (waitHours === undefined) return;
  timeline.at(hoursAgo - waitHours, () => {
    const administrator = timeline.administrator();
    if (rejected === undefined) return versionReview.approve(administrator, revisionOf(version));
    return versionReview.reject(administrator, {
      ...revisionOf(version),
      reasons: [{ code: RejectionCode.INCOMPLETE, message: rejected }],
      guidance: 'Correct this and submit the version again.',
    });
  });
}

/** The part of an app or a version that a decision names. */
const revisionOf = ({ id, revision }: { id: string; revision: number }) => ({ id, revision });

function addMessages(timeline: DemoTimeline): void {
  const { messages: service } = timeline.services;
  for (const [hoursAgo, name, from, text] of messages)
    timeline.at(hoursAgo, () => {
      const { id } = timeline.app(name);
      return from === 'developer'
        ? service.fromDeveloper(timeline.ownerOf(name), id, text)
        : service.fromAdministrator(timeline.administrator(), id, text);
    });
}

/** Adds API keys of the demo developer: one in use, one that expires in two days, and one that was revoked. */
function addKeys(timeline: DemoTimeline): void {
  const { apiKeys, apiKeyRevocation } = timeline.services;
  const developer = () => timeline.developers.get('developer')!;
  const { APP_READ, APP_UPDATE, ANALYTICS_READ } = Scope;
  const add = (name: string, daysAgo: number, scopes: Scope[], expiresInDays: number, revokedDaysAgo = 0) => {
    let id = '';
    timeline.at(daysAgo * day, async () => {
      ({ id } = await apiKeys.create(developer(), { name, scopes, expiresInDays }));
    });
    if (revokedDaysAgo > 0)
      timeline.at(revokedDaysAgo * day, () =>
        apiKeyRevocation.revoke(developer(), { id, descendants: false }),
      );
  };
  add('Old laptop', 118, Object.values(Scope), 365, 37);
  add('Release pipeline', 88, [APP_READ, APP_UPDATE], 90);
  add('Dashboard in the office', 41, [APP_READ, ANALYTICS_READ], 180);
}
