import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { Exposes } from '../../operations/expose.js';
import { App } from '../listings/app.entity.js';
import * as contract from './app-report.contract.js';
import { AppReport } from './app-report.entity.js';

/** The GraphQL fields of reports. */
@Resolver(() => AppReport)
@Exposes(contract)
export class AppReportResolver {
  @FieldResolver(() => App, {
    nullable: true,
    description: 'The reported app, in whatever state it is. Null for everybody but administrators.',
  })
  async app(@Root() { app }: AppReport, @Ctx() context: Context) {
    return (await context.isAdministrator()) ? context.loaders.app.load(app.id) : null;
  }
}
