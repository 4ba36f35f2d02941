import { aiMlApps } from './apps/ai-ml.js';
import { analyticsApps } from './apps/analytics.js';
import { businessApps } from './apps/business.js';
import { communicationApps } from './apps/communication.js';
import { developerToolApps } from './apps/developer-tools.js';
import { educationApps } from './apps/education.js';
import { financeApps } from './apps/finance.js';
import { otherApps } from './apps/other.js';
import { productivityApps } from './apps/productivity.js';
import { utilityApps } from './apps/utilities.js';
import type { DemoApp } from './demo-app.js';

/** All apps of the demo data. */
export const demoApps: readonly DemoApp[] = [
  ...productivityApps,
  ...utilityApps,
  ...businessApps,
  ...developerToolApps,
  ...communicationApps,
  ...analyticsApps,
  ...aiMlApps,
  ...financeApps,
  ...educationApps,
  ...otherApps,
];
