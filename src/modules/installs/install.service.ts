import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import { v7 as newId } from 'uuid';
import type { z } from 'zod';
import { notFound } from '../../errors.js';
import type { InstallBatch } from './install.batch.js';
import type { RecordInstall } from './install.input.js';
import { columnsOf, type NewInstall, type RecordedInstall, recordPatiently } from './install.queries.js';
import type { InstallReceipt } from './install.types.js';

/** Records installs of public apps. */
export class InstallService {
  constructor(
    private readonly em: EntityManager,
    /** Whom to share transactions with; without it, each install is its own. */
    private readonly batch: InstallBatch | null,
  ) {}

  /** Within the caller's transaction where there is one, else in one that is shared with whoever installs just now. */
  async record({
    slug,
    installationId,
    accountUserId,
    version,
  }: z.output<typeof RecordInstall>): Promise<InstallReceipt> {
    const install: NewInstall = {
      id: newId(),
      slug,
      installationId: installationId ?? null,
      accountUserId: accountUserId ?? null,
      version: version ?? null,
    };
    const { installCount, isNew } =
      this.batch && !this.em.isInTransaction() ? await this.batch.record(install) : await this.alone(install);
    if (installCount === null) throw notFound('app');
    return { slug, installCount, isNew };
  }

  private async alone(install: NewInstall): Promise<RecordedInstall> {
    const { rows } = await this.em
      .getKysely()
      .executeQuery<RecordedInstall>(CompiledQuery.raw(recordPatiently.text, columnsOf([install])));
    return rows[0]!;
  }
}
