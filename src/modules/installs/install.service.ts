import type { EntityManager } from '@mikro-orm/postgresql';
import { v7 as newId } from 'uuid';
import type { z } from 'zod';
import { notFound } from '../../errors.js';
import type { RecordInstall } from './install.input.js';
import { recordInstall } from './install.queries.js';
import type { InstallReceipt } from './install.types.js';

/** Records installs of public apps. */
export class InstallService {
  constructor(private readonly em: EntityManager) {}

  async record({
    slug,
    installationId,
    accountUserId,
    version,
  }: z.output<typeof RecordInstall>): Promise<InstallReceipt> {
    const install = {
      id: newId(),
      slug,
      installationId: installationId ?? null,
      accountUserId: accountUserId ?? null,
      version: version ?? null,
    };
    const {
      rows: [counted],
    } = await recordInstall(install).execute(this.em.getKysely());
    if (!counted) throw notFound('app');
    return { slug, ...counted };
  }
}
