import DataLoader from 'dataloader';
import type { LoaderSource } from '../../operations/context.js';
import { rowsById } from '../../operations/loaders.js';
import { Developer } from './developer.entity.js';

export const developerLoaders = ({ fork, services }: LoaderSource) => ({
  developer: rowsById(async (ids) => fork().find(Developer, { id: [...ids] })),
  /** For administrators only. */
  lookalikes: new DataLoader((ids: readonly string[]) => services(fork()).developerNames.lookalikes(ids)),
});
