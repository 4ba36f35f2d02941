import type { EntityManager } from '@mikro-orm/postgresql';
import { CompiledQuery } from 'kysely';
import type { z } from 'zod';
import { nowMs } from '../../db/clock.js';
import { notFound } from '../../errors.js';
import type { RecordInstall } from './install.input.js';
import { installColumns, type NewInstall, type RecordedInstall, recordAlone } from './install.queries.js';
import type { InstallReceipt } from './install.types.js';
import type { InstallBatcher } from './install-batcher.service.js';

/** Records installs of public apps. */
export class InstallService {
  constructor(
    private readonly em: EntityManager,
    /** Records installs of concurrent requests in shared transactions; null to record each one separately. */
    private readonly batcher: InstallBatcher | null,
  ) {}

  /** Uses the transaction of the EntityManager if there is one, else the batcher. */
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
      this.batcher && !this.em.isInTransaction()
        ? await this.batcher.record(install)
        : await this.recordAlone(install);
    if (installCount === null) throw notFound('app');
    return { slug, installCount, isNew };
  }

  private async recordAlone(install: NewInstall): Promise<RecordedInstall> {
    const { rows } = await this.em
      .getKysely()
      .executeQuery<RecordedInstall>(CompiledQuery.raw(recordAlone.text, installColumns([install])));
    return rows[0]!;
  }
}

/**
 * Returns a UUID of version 7. Node generates the random bytes of many UUIDs at once; the uuid package asks the system
 * for each, which took 4 % of the processor time of an install.
 */
function newId(): string {
  const time = nowMs().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
