import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import type { RawInput } from '../../operations/parse-input.js';
import { App } from '../apps/app.entity.js';
import * as contract from './app-report.contract.js';
import { AppReport } from './app-report.entity.js';

/** The GraphQL fields of reports. */
@Resolver(() => AppReport)
export class AppReportResolver {
  @FieldResolver(() => App, {
    nullable: true,
    description: 'The reported app, in whatever state it is. Null for everybody but administrators.',
  })
  async app(@Root() { app }: AppReport, @Ctx() context: Context) {
    return (await context.isAdministrator()) ? context.loaders.app.load(app.id) : null;
  }

  @Expose(contract.reportApp)
  reportApp(input: RawInput, context: Context) {
    return call(contract.reportApp, context, input);
  }

  @Expose(contract.appReports)
  appReports(input: RawInput, context: Context) {
    return call(contract.appReports, context, input);
  }

  @Expose(contract.dismissAppReports)
  dismissAppReports(input: RawInput, context: Context) {
    return call(contract.dismissAppReports, context, input);
  }
}
