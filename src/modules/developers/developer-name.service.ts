import type { EntityManager } from '@mikro-orm/postgresql';
import { type ErrorDetail, ServiceError } from '../../errors.js';
import { fillSkeletonBatch, lockNames, storeSkeletons } from '../names/name.queries.js';
import { nameSkeleton } from '../names/name.rules.js';
import type { ReservedNames } from '../names/reserved-name.rules.js';
import { Developer } from './developer.entity.js';
import { lookalikesOf, namesOfOtherDevelopers, publicAppOf } from './developer-name.queries.js';

/** The fields of a profile that name its developer to the public. */
const nameFields = ['name', 'companyName'] as const;

/** Keeps developers from taking the name of the marketplace or of another verified developer (D325). */
export class DeveloperNameService {
  constructor(
    private readonly em: EntityManager,
    private readonly reserved: ReservedNames,
  ) {}

  /** Rejects reserved names. Called with the fields that change, so that names from before the rule stay valid. */
  requireUnreserved(fields: Readonly<Record<string, unknown>>): void {
    reject(this.reserved.problemsOf(namesIn(fields)));
  }

  /** Rejects changes of a profile to a reserved name, or to one that looks like that of another verified developer. */
  async requireOwn(developer: Developer, changed: Readonly<Record<string, unknown>>): Promise<void> {
    const names = namesIn(changed);
    const reserved = this.reserved.problemsOf(names);
    const alike = (await this.isSeen(developer)) ? await this.alike(developer, names) : [];
    reject([...reserved, ...alike.filter(({ field }) => !reserved.some((other) => other.field === field))]);
  }

  /** Makes others who are about to take names of the same look wait until the transaction ends. */
  async lock(changed: Readonly<Record<string, unknown>>): Promise<void> {
    const skeletons = withSkeletons(namesIn(changed)).map(({ skeleton }) => skeleton);
    await lockNames(this.em, 'developer_names', skeletons);
  }

  /** Stores the skeletons of a profile that was just written. */
  async store({ id, name, companyName }: Developer): Promise<void> {
    const names = [name, companyName].filter((each): each is string => Boolean(each));
    const rows = names.map((each) => ({ id, name: each }));
    await storeSkeletons('developer_names', rows).execute(this.em.getKysely());
  }

  /** Returns the developers that look like each given one, in two queries. */
  async lookalikes(developerIds: readonly string[]): Promise<Developer[][]> {
    // Includes the names that a gateway of the former release or an import wrote since the worker's last run.
    await fillSkeletonBatch(this.em, 'developer_names');
    const { rows } = await lookalikesOf(developerIds).execute(this.em.getKysely());
    const others = await this.em.find(Developer, { id: rows.map(({ otherId }) => otherId) });
    const byId = new Map(others.map((other) => [other.id, other]));
    return developerIds.map((id) =>
      rows.filter((row) => row.id === id).flatMap(({ otherId }) => byId.get(otherId) ?? []),
    );
  }

  /** True for developers who are verified, or whose name the public sees although they are not any more. */
  private async isSeen({ id, verifiedAt }: Developer): Promise<boolean> {
    return verifiedAt !== null || (await publicAppOf(id).execute(this.em.getKysely())).rows.length > 0;
  }

  private async alike({ id }: Developer, changed: Record<string, string>): Promise<ErrorDetail[]> {
    const names = withSkeletons(changed);
    if (names.length === 0) return [];
    await this.lock(changed);
    await fillSkeletonBatch(this.em, 'developer_names');
    const { rows } = await namesOfOtherDevelopers(id, names).execute(this.em.getKysely());
    return rows.map(({ field }) => ({
      field,
      code: 'looks_like_another',
      message: `${field} looks like the name of another verified developer. Ask the administration if it is yours, too: it can change it for you.`,
    }));
  }
}

function namesIn(fields: Readonly<Record<string, unknown>>): Record<string, string> {
  const given = nameFields.map((field) => [field, fields[field]] as const);
  return Object.fromEntries(
    given.filter((entry): entry is [(typeof nameFields)[number], string] => Boolean(entry[1])),
  );
}

const withSkeletons = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([field, name]) => ({ field, name, skeleton: nameSkeleton(name) }));

function reject(problems: readonly ErrorDetail[]): void {
  if (problems.length > 0)
    throw new ServiceError('VALIDATION_FAILED', 'The input is not valid: see details.', problems);
}
