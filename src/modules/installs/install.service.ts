import type { z } from 'zod';
import { nowMs } from '../../db/clock.js';
import { notFound } from '../../errors.js';
import type { ReplayKey, ResultOrStored } from '../../operations/idempotency.js';
import type { RecordInstall } from './install.input.js';
import type { NewInstall, RecordedInstall } from './install.queries.js';
import type { InstallReceipt } from './install.types.js';
import type { InstallBatcher } from './install-batcher.service.js';

/** Records installs of public apps. */
export class InstallService {
  /** Records the installs of concurrent requests in shared transactions; null where only demo data is written. */
  constructor(private readonly batcher: InstallBatcher | null) {}

  async record(input: z.output<typeof RecordInstall>): Promise<InstallReceipt> {
    const install = newInstall(input);
    return receiptOf(install, await this.batcher!.record(install));
  }

  /** Records an install and stores the response under the key, or returns the response that is stored there. */
  async recordOnce(
    input: z.output<typeof RecordInstall>,
    key: ReplayKey,
  ): Promise<ResultOrStored<InstallReceipt>> {
    const install = newInstall(input);
    const recorded = await this.batcher!.record(install, key);
    return recorded.stored ? { stored: recorded.stored } : { result: receiptOf(install, recorded) };
  }
}

const newInstall = ({
  slug,
  installationId,
  accountUserId,
  version,
}: z.output<typeof RecordInstall>): NewInstall => ({
  id: newId(),
  slug,
  installationId: installationId ?? null,
  accountUserId: accountUserId ?? null,
  version: version ?? null,
});

function receiptOf({ slug }: NewInstall, { installCount, isNew }: RecordedInstall): InstallReceipt {
  if (installCount === null) throw notFound('app');
  return { slug, installCount, isNew };
}

/**
 * Returns a UUID of version 7. Node generates the random bytes of many UUIDs at once; the uuid package asks the system
 * for each.
 */
function newId(): string {
  const time = nowMs().toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}
