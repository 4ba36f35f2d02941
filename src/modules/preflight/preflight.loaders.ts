import DataLoader from 'dataloader';
import type { LoaderSource } from '../../operations/context.js';
import type { App } from '../listings/app.entity.js';
import type { AppVersion } from '../listings/app-version.entity.js';

export function preflightLoaders({ fork, services }: LoaderSource) {
  const preflight = () => services(fork()).preflight;
  /** Loads something for each listing, once for each of its revisions. */
  const perRevision = <S extends App | AppVersion, T>(read: (subjects: readonly S[]) => Promise<T[]>) =>
    new DataLoader<S, T, string>(read, { cacheKeyFn: ({ id, revision }) => `${id} ${revision}` });
  return {
    findings: perRevision((subjects: readonly (App | AppVersion)[]) => preflight().storedFindings(subjects)),
    pictureFindings: perRevision((apps: readonly App[]) => preflight().pictureFindings(apps)),
    installFindings: new DataLoader((appIds: readonly string[]) => preflight().installFindings(appIds)),
    images: perRevision((subjects: readonly (App | AppVersion)[]) => preflight().storedImages(subjects)),
    /** Findings in images that make a submission fail when asset checks are enforced. */
    submissionFindings: perRevision((subjects: readonly (App | AppVersion)[]) =>
      preflight().submissionFindings(subjects),
    ),
  };
}
