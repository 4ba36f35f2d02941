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
import type { DomainEvent } from '../events/event.types.js';
import { Developer, DeveloperSort } from './developer.entity.js';
import type { EditDeveloper, ListDevelopers, VerifyDeveloper } from './developer.input.js';
import { profileChange, requireReinstated, requireUnchangedSince } from './developer.rules.js';
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
    const changes = { status: DeveloperStatus.VERIFIED, verifiedAt: now() };
    return this.changeStatus(caller, developer, changes, { kind: 'developer.verified', developerId: id });
  }

  async unverify(caller: AccountCaller, id: string, reason: string): Promise<Developer> {
    const developer = await this.lockUnlessSuspended(id, 'unverify');
    if (developer.status === DeveloperStatus.UNVERIFIED) return developer;
    const changes = { status: DeveloperStatus.UNVERIFIED, verifiedAt: null };
    const event = { kind: 'developer.unverified', developerId: id, reason } as const;
    return this.changeStatus(caller, developer, changes, event);
  }

  async suspend(caller: AccountCaller, id: string, reason: string): Promise<Developer> {
    const developer = await this.lock(id);
    if (developer.status === DeveloperStatus.SUSPENDED) return developer;
    const changes = { status: DeveloperStatus.SUSPENDED, statusBeforeSuspension: developer.status };
    const event = { kind: 'developer.suspended', developerId: id, reason } as const;
    return this.changeStatus(caller, developer, changes, event);
  }

  async reinstate(caller: AccountCaller, id: string): Promise<Developer> {
    const developer = await this.lock(id);
    if (!developer.statusBeforeSuspension) return developer;
    const changes = { status: developer.statusBeforeSuspension, statusBeforeSuspension: null };
    return this.changeStatus(caller, developer, changes, { kind: 'developer.reinstated', developerId: id });
  }

  /** Changes the status of a developer whose row is locked. */
  private async changeStatus(
    caller: AccountCaller,
    developer: Developer,
    changes: Partial<Pick<Developer, 'status' | 'verifiedAt' | 'statusBeforeSuspension'>>,
    event: DomainEvent,
  ): Promise<Developer> {
    const before = { status: developer.status };
    Object.assign(developer, changes);
    await this.events.record(asAdministrator(caller), event, { before, after: { status: developer.status } });
    return developer;
  }

  /** Changes a profile on behalf of its developer. It may look like another one's; reserved names stay reserved (D325). */
  async edit(
    caller: AccountCaller,
    { id, reason, ...changes }: z.output<typeof EditDeveloper>,
  ): Promise<Developer> {
    const developer = await this.lock(id);
    const change = profileChange(developer, changes);
    if (!change) return developer;
    const { after } = change;
    this.names.requireUnreserved(after);
    await this.names.lock(after);
    Object.assign(developer, after);
    await this.em.flush();
    await this.names.store(developer);
    const event = { kind: 'developer.edited', developerId: id, reason } as const;
    await this.events.record(asAdministrator(caller), event, change);
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
