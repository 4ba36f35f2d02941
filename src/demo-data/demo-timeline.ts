import type { AccountCaller, DeveloperCaller } from '../auth/caller.js';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import { DeveloperStatus } from '../auth/developer-status.js';
import { type App, Environment } from '../modules/listings/app.entity.js';
import type { Services } from '../services.js';
import { type DemoApp, type DemoPast, folderOf } from './demo-app.js';
import { demoApps } from './demo-apps.js';
import type { DemoClock } from './demo-clock.js';
import { type DemoDeveloper, type DemoOwner, demoCaller, demoDevelopers } from './demo-developers.js';
import { earlierRejections, pastVersions, rejections, takenDown } from './demo-history.js';
import type { DemoUrls } from './demo-pictures.js';

/** One act of the demo data, and when it takes place. */
interface DemoStep {
  hoursAgo: number;
  act: () => Promise<unknown>;
}

const day = 24;
/** Hours between the creation of an app and its first submission, and between a registration and its verification. */
const preparationHours = 20;

const administrators = [DEMO_ACCOUNTS.administrator, DEMO_ACCOUNTS.secondAdministrator].map(
  ({ accountUserId, email, name }) => demoCaller({ accountUserId, email, name, isAdmin: true }),
);

/** The acts of all demo accounts, which the services carry out in the order of their times, so that they obey all rules. */
export class DemoTimeline {
  private readonly steps: DemoStep[] = [];
  private readonly callers = new Map<DemoOwner, DeveloperCaller>();
  private readonly appsByName = new Map<string, App>();
  private acts = 0;

  constructor(
    readonly services: Services,
    readonly urls: DemoUrls,
  ) {
    for (const [owner, developer] of Object.entries(demoDevelopers))
      this.addDeveloper(owner as DemoOwner, developer);
    for (const app of demoApps) this.addApp(app);
  }

  /** Carries out all steps, the earliest first. */
  async run(clock: DemoClock): Promise<void> {
    for (const { hoursAgo, act } of this.steps.toSorted((a, b) => b.hoursAgo - a.hoursAgo))
      await clock.at(hoursAgo, act);
  }

  at(hoursAgo: number, act: DemoStep['act']): void {
    this.steps.push({ hoursAgo, act });
  }

  get apps(): ReadonlyMap<string, App> {
    return this.appsByName;
  }

  /** Returns an app by its name; only steps after its creation can call it. */
  app(name: string): App {
    const app = this.appsByName.get(name);
    if (!app) throw new Error(`The demo data has no app ${name}`);
    return app;
  }

  /** Returns the developer of an app as a caller; only steps after the registration can call it. */
  ownerOf(name: string): DeveloperCaller {
    return this.caller(demoApps.find((app) => app.name === name)!.owner);
  }

  caller(owner: DemoOwner): DeveloperCaller {
    return this.callers.get(owner)!;
  }

  /** Returns the two administrators in turn. */
  administrator(): AccountCaller {
    this.acts += 1;
    return administrators[this.acts % administrators.length]!;
  }

  private addDeveloper(owner: DemoOwner, demo: DemoDeveloper): void {
    const { developers, developerAdmin } = this.services;
    const { registeredDaysAgo, status, reason = '', ...profile } = demo;
    const { accountUserId, name } = profile;
    const email = `${accountUserId}@example.com`;
    const account = demoCaller({ accountUserId, name, email, emailProven: status !== 'unverified' });
    const registered = registeredDaysAgo * day;
    this.at(registered, async () => {
      const { id } = await developers.register(account, {
        ...profile,
        email,
      });
      this.callers.set(owner, { ...account, developer: { id, status: DeveloperStatus.UNVERIFIED } });
    });
    if (status === 'unverified') return;
    this.at(registered - preparationHours, () =>
      developerAdmin.verify(this.administrator(), { id: this.caller(owner).developer.id }),
    );
    if (status === 'suspended')
      this.at(registered / 4, () =>
        developerAdmin.suspend(this.administrator(), this.caller(owner).developer.id, reason),
      );
  }

  private addApp(demo: DemoApp): void {
    const { name, past } = demo;
    const { hoursAgo, stage } = past;
    const earlier = earlierRejections[name];
    const isDraft = stage === 'draft';
    this.at((earlier?.hoursAgo ?? hoursAgo) + (isDraft ? 0 : preparationHours), () => this.create(demo));
    if (isDraft) return;
    if (earlier) {
      this.submit(name, earlier.hoursAgo);
      this.reject(name, earlier.hoursAgo - earlier.waitHours, earlier);
      this.improve(demo, earlier.reasons);
    }
    this.submit(name, hoursAgo);
    const decided = hoursAgo - past.waitHours;
    if (stage === 'waiting') return;
    const rejection = rejections[name];
    if (rejection) this.reject(name, decided, rejection);
    else this.publish(name, stage, decided);
  }

  private publish(name: string, stage: DemoPast['stage'], decided: number): void {
    const { review } = this.services;
    this.at(decided, () => review.approve(this.administrator(), versionOf(this.app(name))));
    if (stage === 'featured')
      this.at(decided / 2, () => review.feature(this.administrator(), this.app(name).id, true));
    if (stage === 'suspended') {
      const { hoursAgo: suspendedAgo, reason } = takenDown[name as keyof typeof takenDown];
      this.at(suspendedAgo, () => review.suspend(this.administrator(), this.app(name).id, reason));
    }
  }

  private async create(demo: DemoApp): Promise<void> {
    const { owner, name, description, category, environment = Environment.production } = demo;
    const isCompletedLater = name in earlierRejections || pastVersions.some(({ app }) => app === name);
    const app = await this.services.apps.create(this.caller(owner), {
      name,
      description,
      category,
      environment,
      ...this.urls.of(demo),
      longDescription: demo.story && isCompletedLater ? beginningOf(demo.story) : demo.story,
      ...(demo.past.dailyInstalls > 10 && { oauthClientId: `${folderOf(demo)}-client` }),
    });
    this.appsByName.set(name, app);
  }

  private submit(name: string, hoursAgo: number): void {
    this.at(hoursAgo, async () => {
      this.appsByName.set(name, await this.services.apps.submit(this.ownerOf(name), this.app(name).id));
    });
  }

  private reject(name: string, hoursAgo: number, rejection: (typeof rejections)[string]): void {
    const { reasons, guidance } = rejection;
    this.at(hoursAgo, () =>
      this.services.review.reject(this.administrator(), { ...versionOf(this.app(name)), reasons, guidance }),
    );
  }

  /** Completes the description of a rejected app and marks the reasons about it as addressed, before its next submission. */
  private improve({ name, story, past }: DemoApp, reasons: (typeof rejections)[string]['reasons']): void {
    const { apps, messages } = this.services;
    this.at(past.hoursAgo + 2, () =>
      apps.update(this.ownerOf(name), this.app(name).id, { longDescription: story }),
    );
    for (const [index, { field = 'longDescription' }] of reasons.entries())
      if (field === 'longDescription')
        this.at(past.hoursAgo + 1, () =>
          messages.addressReason(this.ownerOf(name), this.app(name).id, index, true),
        );
  }
}

/** The part of an app or a version that a decision names. */
export const versionOf = ({ id, revision }: { id: string; revision: number }) => ({ id, revision });

/** Returns a story without its last paragraph, and without the heading of that paragraph. */
function beginningOf(story: string): string {
  const paragraphs = story.split('\n\n').slice(0, -1);
  if (paragraphs.at(-1)?.startsWith('#')) paragraphs.pop();
  return paragraphs.join('\n\n') || story;
}
