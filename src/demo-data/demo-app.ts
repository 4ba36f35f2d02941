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

/** An app of the demo data. */
export interface DemoApp {
  owner: DemoOwner;
  name: string;
  description: string;
  category: Category;
  /** Production by default. */
  environment?: Environment;
  /** The long description, in Markdown. */
  story: string | null;
  /** The captions of its screenshots. */
  screens: readonly string[];
  hasBanner?: boolean;
  /** The folder of its pictures, if it is not the same as its slug. */
  folder?: string;
  past: DemoPast;
}

const day = 24;
const past = (stage: DemoPast['stage'], hoursAgo: number, waitHours = 0, dailyInstalls = 0): DemoPast => ({
  stage,
  hoursAgo,
  waitHours,
  dailyInstalls,
});

export const draft = (daysAgo: number) => past('draft', daysAgo * day);
export const waiting = (hoursAgo: number) => past('waiting', hoursAgo);
export const rejected = (daysAgo: number, waitHours: number) => past('rejected', daysAgo * day, waitHours);
export const live = (daysAgo: number, waitHours: number, dailyInstalls: number) =>
  past('live', daysAgo * day, waitHours, dailyInstalls);
export const featured = (daysAgo: number, waitHours: number, dailyInstalls: number) =>
  past('featured', daysAgo * day, waitHours, dailyInstalls);
export const suspended = (daysAgo: number, waitHours: number, dailyInstalls: number) =>
  past('suspended', daysAgo * day, waitHours, dailyInstalls);

/** Returns the folder of an app's pictures. */
export const folderOf = ({ folder, name }: Pick<DemoApp, 'folder' | 'name'>): string =>
  folder ?? name.toLowerCase().replaceAll(' ', '-');
