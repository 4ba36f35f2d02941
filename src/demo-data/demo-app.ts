import type { Environment } from '../modules/listings/app.entity.js';
import type { Category } from '../modules/listings/listing.entity.js';
import type { DemoOwner } from './demo-developers.js';

/** The past of a demo app: the state that it is brought to, and when. */
export interface DemoPast {
  stage: 'draft' | 'waiting' | 'rejected' | 'live' | 'featured' | 'suspended';
  /** Time of its submission, in hours before the demo data is created; of a draft, when it was created. */
  hoursAgo: number;
  /** Time from the submission to the decision, in hours. */
  waitHours: number;
  /** Installs on a working day of the last week. */
  dailyInstalls: number;
}

/** The listing of a demo app. */
interface DemoListing {
  description: string;
  /** The long description, in Markdown. */
  story?: string;
  /** The captions of its screenshots. */
  screens: readonly string[];
  hasBanner?: boolean;
  /** Production by default. */
  environment?: Environment;
  /** The folder of its pictures, if it is not the same as its slug. */
  folder?: string;
}

/** An app of the demo data. */
export interface DemoApp extends DemoListing {
  owner: DemoOwner;
  name: string;
  past: DemoPast;
  category: Category;
}

const past =
  (stage: DemoPast['stage']) =>
  (daysAgo: number, waitHours = 0, dailyInstalls = 0): DemoPast => ({
    stage,
    hoursAgo: daysAgo * 24,
    waitHours,
    dailyInstalls,
  });

export const draft = past('draft');
export const waiting = (hoursAgo: number): DemoPast => ({ ...past('waiting')(0), hoursAgo });
export const rejected = past('rejected');
export const live = past('live');
export const featured = past('featured');
export const suspended = past('suspended');

export const app = (owner: DemoOwner, name: string, past: DemoPast, listing: DemoListing) => ({
  owner,
  name,
  past,
  ...listing,
});

export const inCategory = (category: Category, apps: readonly ReturnType<typeof app>[]): DemoApp[] =>
  apps.map((app) => ({ ...app, category }));

/** Returns the folder of an app's pictures. */
export const folderOf = ({ folder, name }: Pick<DemoApp, 'folder' | 'name'>): string =>
  folder ?? name.toLowerCase().replaceAll(' ', '-');
