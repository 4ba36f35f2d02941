import { activeAccount, admin } from '../../auth/policy.js';
import { mutation, query } from '../../operations/operation.js';
import { App } from '../listings/app.entity.js';
import { AppReport, AppReportConnection } from './app-report.entity.js';
import { DismissAppReports, ListAppReports, ReportApp } from './app-report.input.js';

export const reportApp = mutation({
  summary:
    'Reports a public app to the administrators. An account has one report per app: reporting it again changes the report.',
  catalog: 'none',
  policy: activeAccount,
  input: ReportApp,
  output: AppReport,
  errors: ['VALIDATION_FAILED', 'NOT_FOUND', 'FORBIDDEN', 'INVALID_TRANSITION', 'QUOTA_EXCEEDED'],
  run: ({ appReports }, caller, input) => appReports.report(caller, input),
});

export const appReports = query({
  summary: 'Lists the open reports of all apps, newest first.',
  policy: admin({ ownAllowed: 'It only reads.' }),
  input: ListAppReports,
  output: AppReportConnection,
  run: ({ appReports: reports }, _caller, input) => reports.list(input),
});

export const dismissAppReports = mutation({
  summary: 'Closes the reports of an app, which stays as it is. `suspendApp` closes them, too.',
  catalog: 'none',
  policy: admin({ notForOneself: 'app' }),
  input: DismissAppReports,
  output: App,
  errors: ['NOT_FOUND'],
  run: ({ appReports: reports }, caller, { id }) => reports.dismiss(caller, id),
});
