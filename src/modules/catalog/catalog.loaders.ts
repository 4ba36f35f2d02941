import DataLoader from 'dataloader';
import type { LoaderSource } from '../../operations/context.js';
import { rowsById, rowsIfAny } from '../../operations/loaders.js';
import type { AppConnection } from './catalog.types.js';
import type { DeveloperAppsKey } from './public-developer.service.js';

export const catalogLoaders = ({ fork, services }: LoaderSource) => ({
  publicProfile: rowsById((ids) => services(fork()).publicDevelopers.profiles(ids)),
  developerApps: new DataLoader<DeveloperAppsKey, AppConnection, string>(
    (keys) => services(fork()).publicDevelopers.pages(keys),
    { cacheKeyFn: (key) => JSON.stringify(key) },
  ),
  publicForm: rowsById((ids) => services(fork()).catalog.publicForms(ids)),
  publicAppIfAny: rowsIfAny(async (ids) =>
    (await services(fork()).catalog.publicForms(ids)).filter(({ listed }) => listed),
  ),
});
