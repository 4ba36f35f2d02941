import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { z } from 'zod';
import type { AccountCaller } from '../../auth/caller.js';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { now } from '../../db/clock.js';
import { notFound } from '../../errors.js';
import type { Connection } from '../../operations/connection.types.js';
import { pageByTime } from '../../operations/paging.js';
import { asAdministrator, type EventService } from '../events/event.service.js';
import { Developer, DeveloperSort } from './developer.entity.js';
import type { EditDeveloper, ListDevelopers, VerifyDeveloper } from './developer.input.js';
import { requireReinstated, requireUnchangedSince } from './developer.rules.js';
import type { DeveloperNameService } from './developer-name.service.js';

/** Verifies, suspends and lists developer accounts for administrators. A repeated action changes nothing and returns the developer. */
export class DeveloperAdminService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
    private readonly names: DeveloperNameService,
  ) {}

  async list({
    status,
    search,
    sort,
    ...page
  }: z.output<typeof ListDevelopers>): Promise<Connection<Developer>> {
    const pattern = search ? `%${search.replace(/[\\%_]/g, '\\$&')}%` : null;
    const matching = {
      ...(status && { status }),
      ...(pattern && {
        $or: (['name', 'companyName', 'email', 'accountUserId'] as const).map((field) => ({
          [field]: { $ilike: pattern },
        })),
      }),
    };
    const order = sort === DeveloperSort.OLDEST ? 'asc' : 'desc';
    return pageByTime(this.em, Developer, matching, { by: 'createdAt', order }, page);
  }

  async get(id: string): Promise<Developer> {
    const developer = await this.em.findOne(Developer, { id });
    if (!developer) throw notFound('developer');
    return developer;
  }

  /** Verifies the profile that the administrator has read, if they say which one that was (D343). */
  async verify(
    caller: AccountCaller,
    { id, updatedAt }: z.output<typeof VerifyDeveloper>,
  ): Promise<Developer> {
    const developer = await this.lockUnlessSuspended(id, 'verify');
    if (developer.status === DeveloperStatus.VERIFIED) return developer;
    requireUnchangedSince(developer, updatedAt);
    const before = { status: developer.status };
    developer.status = DeveloperStatus.VERIFIED;
    developer.verifiedAt = now();
    await this.events.record(
      asAdministrator(caller),
      { kind: 'developer.verified', developerId: id },
      { before, after: { status: developer.status } },
    );
    return developer;
  }

  async unverify(caller: AccountCaller, id: string, reason: string): Promise<Developer> {
    const developer = await this.lockUnlessSuspended(id, 'unverify');
    if (developer.status === DeveloperStatus.UNVERIFIED) return developer;
    const before = { status: developer.status };
    developer.status = DeveloperStatus.UNVERIFIED;
    developer.verifiedAt = null;
    await this.events.record(
      asAdministrator(caller),
      {
        kind: 'developer.unverified',
        developerId: id,
        reason,
      },
      { before, after: { status: developer.status } },
    );
    return developer;
  }

  async suspend(caller: AccountCaller, id: string, reason: string): Promise<Developer> {
    const developer = await this.lock(id);
    if (developer.status === DeveloperStatus.SUSPENDED) return developer;
    const before = { status: developer.status };
    developer.statusBeforeSuspension = developer.status;
    developer.status = DeveloperStatus.SUSPENDED;
    await this.events.record(
      asAdministrator(caller),
      {
        kind: 'developer.suspended',
        developerId: id,
        reason,
      },
      { before, after: { status: developer.status } },
    );
    return developer;
  }

  async reinstate(caller: AccountCaller, id: string): Promise<Developer> {
    const developer = await this.lock(id);
    if (!developer.statusBeforeSuspension) return developer;
    const before = { status: developer.status };
    developer.status = developer.statusBeforeSuspension;
    developer.statusBeforeSuspension = null;
    await this.events.record(
      asAdministrator(caller),
      { kind: 'developer.reinstated', developerId: id },
      { before, after: { status: developer.status } },
    );
    return developer;
  }

  /** Changes a profile on behalf of its developer. It may look like another one's; reserved names stay reserved (D325). */
  async edit(
    caller: AccountCaller,
    { id, reason, ...changes }: z.output<typeof EditDeveloper>,
  ): Promise<Developer> {
    const developer = await this.lock(id);
    const changed = Object.entries(changes).filter(
      ([field, value]) => value !== undefined && developer[field as keyof typeof changes] !== value,
    );
    if (changed.length === 0) return developer;
    const before = Object.fromEntries(
      changed.map(([field]) => [field, developer[field as keyof typeof changes]]),
    );
    const after = Object.fromEntries(changed);
    this.names.requireUnreserved(after);
    await this.names.lock(after);
    Object.assign(developer, after);
    await this.em.flush();
    await this.names.store(developer);
    await this.events.record(
      asAdministrator(caller),
      { kind: 'developer.edited', developerId: id, reason },
      { before, after },
    );
    return developer;
  }

  private async lockUnlessSuspended(id: string, action: 'verify' | 'unverify'): Promise<Developer> {
    const developer = await this.lock(id);
    requireReinstated(developer, action);
    return developer;
  }

  private async lock(id: string): Promise<Developer> {
    const developer = await this.em.findOne(Developer, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (!developer) throw notFound('developer');
    return developer;
  }
}
