import type { AccountCaller, DeveloperCaller } from '../auth/caller.js';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import type { App } from '../modules/listings/app.entity.js';
import type { Services } from '../services.js';
import { demoApps } from './demo-apps.js';
import type { DemoClock } from './demo-clock.js';
import { type DemoOwner, demoCaller } from './demo-developers.js';
import type { DemoUrls } from './demo-pictures.js';

const administrators = [DEMO_ACCOUNTS.administrator, DEMO_ACCOUNTS.secondAdministrator].map(
  ({ accountUserId, email, name }) => demoCaller({ accountUserId, email, name, isAdmin: true }),
);

/** The acts of all demo accounts, which the services carry out in the order of their times, so that they obey all rules. */
export class DemoTimeline {
  /** The apps by their names, as their creation or last submission left them. */
  readonly apps = new Map<string, App>();
  readonly developers = new Map<DemoOwner, DeveloperCaller>();
  private readonly acts: { hoursAgo: number; act: () => Promise<unknown> }[] = [];
  private decisions = 0;

  constructor(
    readonly services: Services,
    readonly urls: DemoUrls,
  ) {}

  at(hoursAgo: number, act: () => Promise<unknown>): void {
    this.acts.push({ hoursAgo, act });
  }

  /** Carries out all acts, the earliest first. */
  async run(clock: DemoClock): Promise<void> {
    for (const { hoursAgo, act } of this.acts.toSorted((a, b) => b.hoursAgo - a.hoursAgo))
      await clock.at(hoursAgo, act);
  }

  /** Returns an app by its name; only acts after its creation can call it. */
  app(name: string): App {
    return this.apps.get(name)!;
  }

  /** Returns the developer of an app as a caller; only acts after the registration can call it. */
  ownerOf(name: string): DeveloperCaller {
    return this.developers.get(demoApps.find((app) => app.name === name)!.owner)!;
  }

  /** Returns the two administrators in turn. */
  administrator(): AccountCaller {
    this.decisions += 1;
    return administrators[this.decisions % administrators.length]!;
  }
}
