import type { Adapter, AdapterPayload } from 'oidc-provider';

type Stored = Map<string, AdapterPayload>;

/** Keeps the sessions, grants and codes of the provider in memory, and finds its clients where the caller says. */
export function memoryStorage(findClient: (id: string) => AdapterPayload | undefined) {
  const models = new Map<string, Stored>();
  return (model: string): Adapter => {
    const stored = models.get(model) ?? new Map<string, AdapterPayload>();
    models.set(model, stored);
    return new MemoryModel(stored, model === 'Client' ? findClient : (id) => stored.get(id));
  };
}

/** Stores what belongs to one model. The provider itself checks when a payload expires. */
class MemoryModel implements Adapter {
  readonly #stored: Stored;
  readonly #find: (id: string) => AdapterPayload | undefined;

  constructor(stored: Stored, find: (id: string) => AdapterPayload | undefined) {
    this.#stored = stored;
    this.#find = find;
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#find(id);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...this.#stored.values()].find((payload) => payload.uid === uid);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    return [...this.#stored.values()].find((payload) => payload.userCode === userCode);
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#stored.set(id, payload);
  }

  async consume(id: string): Promise<void> {
    const payload = this.#stored.get(id);
    if (payload) payload.consumed = Math.floor(Date.now() / 1000);
  }

  async destroy(id: string): Promise<void> {
    this.#stored.delete(id);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#stored) if (payload.grantId === grantId) this.#stored.delete(id);
  }
}
