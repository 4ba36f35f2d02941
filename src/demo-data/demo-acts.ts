import { Scope } from '../auth/scope.js';
import type { AppVersion } from '../modules/listings/app-version.entity.js';
import { RejectionCode } from '../modules/listings/rejection.types.js';
import { demoApps } from './demo-apps.js';
import { messages, pastVersions, waitingVersion } from './demo-history.js';
import { type DemoTimeline, versionOf } from './demo-timeline.js';

const day = 24;

/** Adds versions of live apps: past ones with their decisions, and one that waits. */
export function addVersions(timeline: DemoTimeline): void {
  const { versions, versionReview } = timeline.services;
  for (const { app: name, hoursAgo, waitHours, rejected, ...release } of pastVersions) {
    const { story } = demoApps.find((demo) => demo.name === name)!;
    let version: AppVersion;
    timeline.at(hoursAgo + 3, async () => {
      const changes = { longDescription: story, ...release };
      version = await versions.create(timeline.ownerOf(name), timeline.app(name).id, changes);
    });
    timeline.at(hoursAgo, async () => {
      version = await versions.submit(timeline.ownerOf(name), version.id);
    });
    timeline.at(hoursAgo - waitHours, () => {
      const administrator = timeline.administrator();
      if (rejected === undefined) return versionReview.approve(administrator, versionOf(version));
      const reasons = [{ code: RejectionCode.INCOMPLETE, message: rejected }];
      return versionReview.reject(administrator, {
        ...versionOf(version),
        reasons,
        guidance: 'Correct this and submit the version again.',
      });
    });
  }
  addWaitingVersion(timeline);
}

function addWaitingVersion(timeline: DemoTimeline): void {
  const { app: name, hoursAgo, description, addition, caption } = waitingVersion;
  const { versions } = timeline.services;
  let version: AppVersion;
  timeline.at(hoursAgo + 6, async () => {
    const app = timeline.app(name);
    version = await versions.create(timeline.ownerOf(name), app.id, {
      description,
      longDescription: `${app.longDescription}\n\n${addition}`,
      screenshots: [...app.screenshots, { url: timeline.urls.picture('invoice-maker', 'screen-3'), caption }],
    });
  });
  timeline.at(hoursAgo, () => versions.submit(timeline.ownerOf(name), version.id));
}

/** Adds the messages between developers and reviewers. */
export function addMessages(timeline: DemoTimeline): void {
  const { messages: service } = timeline.services;
  for (const { app: name, hoursAgo, from, text } of messages)
    timeline.at(hoursAgo, () => {
      const { id } = timeline.app(name);
      return from === 'developer'
        ? service.fromDeveloper(timeline.ownerOf(name), id, text)
        : service.fromAdministrator(timeline.administrator(), id, text);
    });
}

/** Adds API keys of the demo developer: one in use, one that expires in two days, and one that was revoked. */
export function addKeys(timeline: DemoTimeline): void {
  const { apiKeys, apiKeyRevocation } = timeline.services;
  const developer = () => timeline.caller('developer');
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
