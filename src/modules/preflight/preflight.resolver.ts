import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../operations/context.js';
import { Exposes } from '../../operations/expose.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { PublicApp } from '../catalog/catalog.types.js';
import { App } from '../listings/app.entity.js';
import { AppVersion } from '../listings/app-version.entity.js';
import { Finding } from '../listings/finding.types.js';
import * as contract from './preflight.contract.js';
import { MeasuredImage } from './preflight.types.js';

const images = {
  description:
    'The images of the listing as they were measured at the last submission or edit; empty before the first check.',
};

/** The automatic checks of apps, for their developers. */
@Resolver(() => App)
@Exposes(contract)
export class PreflightResolver {
  @GraphQLOnly()
  @FieldResolver(() => [Finding], {
    description:
      'Problems that the automatic checks found; those of images are as of the last submission or edit, and for a public app also of the last check whether they are still what was reviewed. Administrators also see `unusual_installs`.',
  })
  async findings(@Root() app: App, @Ctx() context: Context): Promise<Finding[]> {
    const { loaders } = context;
    const findings = [...(await loaders.findings.load(app)), ...(await loaders.pictureFindings.load(app))];
    if (!(await context.isAdministrator())) return findings;
    return [...findings, ...(await loaders.installFindings.load(app.id))];
  }

  @GraphQLOnly()
  @FieldResolver(() => [MeasuredImage], images)
  images(@Root() app: App, @Ctx() { loaders }: Context) {
    return loaders.images.load(app);
  }
}

/** The automatic checks of versions, for their developers. */
@Resolver(() => AppVersion)
export class VersionFindingsResolver {
  @FieldResolver(() => [Finding], {
    description:
      'Problems that the automatic checks found; those of images are as of the last submission or edit.',
  })
  findings(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return loaders.findings.load(version);
  }

  @GraphQLOnly()
  @FieldResolver(() => [MeasuredImage], images)
  images(@Root() version: AppVersion, @Ctx() { loaders }: Context) {
    return loaders.images.load(version);
  }
}

/** The GraphQL fields of findings that stored ones may lack, or that lead to other apps. */
@Resolver(() => Finding)
export class FindingResolver {
  @FieldResolver(() => Boolean, {
    description:
      'True if an approval must name the code in `acknowledge` and give a `reason`. It blocks no submission.',
  })
  needsReason(@Root() { reasonNeeded }: Finding): boolean {
    return reasonNeeded ?? false;
  }

  @GraphQLOnly()
  @FieldResolver(() => PublicApp, {
    nullable: true,
    description:
      'The public app of another developer that the finding is about, such as the one with the same name. Null if it is about none, or if that app is not public any more.',
  })
  about(@Root() { aboutAppId }: Finding, @Ctx() { loaders }: Context) {
    return aboutAppId ? loaders.publicAppIfAny.load(aboutAppId) : null;
  }
}
