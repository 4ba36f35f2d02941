import { Resolver } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import type { RawInput } from '../../operations/parse-input.js';
import * as contract from './catalog.contract.js';
import type { CatalogChange } from './catalog-change.types.js';

/** The GraphQL fields of the public catalog. */
@Resolver()
export class CatalogResolver {
  @Expose(contract.browseApps)
  browseApps(input: RawInput, context: Context) {
    return call(contract.browseApps, context, input);
  }

  @Expose(contract.apps)
  apps(input: RawInput, context: Context) {
    return call(contract.apps, context, input);
  }

  @Expose(contract.suggest)
  suggest(input: RawInput, context: Context) {
    return call(contract.suggest, context, input);
  }

  @Expose(contract.app)
  app(input: RawInput, context: Context) {
    return call(contract.app, context, input);
  }

  @Expose(contract.featuredApps)
  featuredApps(input: RawInput, context: Context) {
    return call(contract.featuredApps, context, input);
  }

  @Expose(contract.categories)
  categories(input: RawInput, context: Context) {
    return call(contract.categories, context, input);
  }

  @Expose(contract.catalogChanged)
  catalogChanged(event: CatalogChange) {
    return event;
  }
}
