import { Scope } from '../../src/auth/scope.js';
import type { Actors, Json } from '../support/actors.js';
import type { ApiClient } from '../support/api-client.js';
import { Named, type namable } from './hostile.js';

export const credentials = [
  'none',
  'nonsense',
  'key',
  'narrowKey',
  'revokedKey',
  'account',
  'newcomer',
  'administrator',
] as const;
export type Credential = (typeof credentials)[number];

/** The people and their objects, which a hostile request names to get past the first checks. */
export class Cast {
  private constructor(
    private readonly things: Record<(typeof namable)[number], string>,
    private readonly slugs: readonly string[],
    private readonly bearers: Record<Credential, string | null>,
  ) {}

  static async assemble(service: Actors & { readonly client: ApiClient }): Promise<Cast> {
    const [developer, newcomer, bystander] = await Promise.all([
      service.aDeveloper(),
      service.anUnverifiedDeveloper(),
      service.anUnverifiedDeveloper(),
    ]);
    const [draft, pending, rejected, suspended, open, submitted, narrow] = await Promise.all([
      service.anApp(developer),
      service.anApp(developer, 'PENDING'),
      service.anApp(developer, 'REJECTED'),
      service.anApp(developer, 'SUSPENDED'),
      service.aVersion(developer),
      service.aVersion(developer, 'PENDING'),
      service.anIssuedKey(developer, [Scope.APP_READ]),
    ]);
    const endpoint = await service.must<{ endpoint?: Json } & Json>(
      'createWebhookEndpoint',
      { url: 'https://hooks.example/marketplace' },
      developer.token,
    );
    return new Cast(
      {
        draft: draft.id,
        pending: pending.id,
        approved: open.app.id,
        rejected: rejected.id,
        suspended: suspended.id,
        version: open.version.id,
        pendingVersion: submitted.version.id,
        endpoint: endpoint.id ?? endpoint.endpoint?.id,
        keyId: narrow.id,
        developerId: bystander.id,
        newcomerId: newcomer.id,
      },
      [open.app.slug, submitted.app.slug, suspended.slug],
      {
        none: null,
        nonsense: 'nonsense',
        key: developer.key,
        narrowKey: narrow.key,
        revokedKey: await service.aRevokedKey(developer),
        account: developer.token,
        newcomer: newcomer.token,
        administrator: await service.admin(),
      },
    );
  }

  bearer(credential: Credential): string | null {
    return this.bearers[credential];
  }

  /** Puts what is meant in the place of its name. */
  resolve(value: unknown, place?: string): unknown {
    if (value instanceof Named)
      return place === 'slug' ? this.slugs[value.what.length % this.slugs.length] : this.thing(value.what);
    if (Array.isArray(value)) return value.map((item) => this.resolve(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, this.resolve(inner, name)]),
    );
  }

  private thing(name: string): string {
    return this.things[name as (typeof namable)[number]];
  }
}
