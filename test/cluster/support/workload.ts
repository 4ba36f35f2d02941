import { setTimeout as delay } from 'node:timers/promises';
import { buildGraphQLSchema } from '../../../src/graphql/schema.js';
import { Actors, type AppJson, aListing, type Developer } from '../../support/actors.js';
import { ApiClient } from '../../support/api-client.js';
import { RecordingClient, type Reply } from './client.js';
import { History, type WriteKind } from './history.js';
import { Ledger } from './ledger.js';

/** Pause of each writer between two writes, which leaves time for everything else on a small machine. */
const PAUSE_MS = 25;
const RETRY_PAUSE_MS = 100;
/** Writes that are not acknowledged by then count as unknown. */
const STOP_WITHIN_MS = 30_000;

/** The apps that the load works on. */
export interface Stage {
  readonly developer: Developer;
  readonly updatedApps: readonly AppJson[];
  readonly plain: AppJson;
  readonly once: AppJson;
  readonly keyed: AppJson;
  readonly talked: AppJson;
}

/** Returns an account token. */
export type IssueToken = Actors['token'];

/** Tokens of the development issuer, of any gateway that responds. */
const developmentToken =
  (urls: readonly string[]): IssueToken =>
  async (accountUserId, options) => {
    const response = await Promise.any(
      urls.map((url) =>
        fetch(`${url}/dev/token`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ accountUserId, ...options }),
        }),
      ),
    );
    return ((await response.json()) as { accessToken: string }).accessToken;
  };

/** Clients that write to several gateways at once until they are stopped. */
export class Workload {
  readonly history = new History();
  readonly ledger = new Ledger();
  readonly client: RecordingClient;
  private stoppedAt: number | null = null;
  private writers: Promise<void>[] = [];
  private number = 0;
  /** Times at which installs of the plain app were acknowledged. */
  private readonly installTimes: number[] = [];

  private constructor(
    private readonly urls: readonly string[],
    readonly stage: Stage,
    private readonly issue: IssueToken,
    private readonly admins: readonly { accountUserId: string; token: string }[],
  ) {
    this.client = new RecordingClient(urls, this.history);
  }

  /** Creates the developer, the apps and the administrators, through the first gateway. */
  static async prepare(
    urls: readonly string[],
    issue: IssueToken = developmentToken(urls),
  ): Promise<Workload> {
    const actors = new Actors(new ApiClient(urls[0]!, await buildGraphQLSchema()), async () => []);
    actors.token = issue;
    const developer = await actors.aDeveloper();
    const updatedApps = [await actors.anApp(developer), await actors.anApp(developer)];
    const approved = () => actors.anApp(developer, 'APPROVED');
    const [plain, once, keyed] = [await approved(), await approved(), await approved()];
    const talked = await actors.anApp(developer, 'PENDING');
    const admins = [await actors.anAdministrator(), await actors.anAdministrator()];
    return new Workload(urls, { developer, updatedApps, plain, once, keyed, talked }, issue, admins);
  }

  start(): void {
    const gateways = this.urls.map((_, gateway) => gateway);
    const loops = [
      ...gateways.map((gateway) => () => this.create(gateway)),
      ...gateways.map((gateway) => () => this.update(gateway)),
      ...gateways.map((gateway) => () => this.install(gateway)),
      ...gateways.map((gateway) => () => this.installOnce(gateway)),
      ...gateways.map((gateway) => () => this.installKeyed(gateway)),
      ...gateways.map((gateway) => () => this.rate(gateway)),
      ...gateways.map((gateway) => () => this.message(gateway)),
      () => this.submitAndClaim(),
      ...gateways.map((gateway) => () => this.read(gateway)),
    ];
    this.writers = loops.map(async (write) => {
      while (this.stoppedAt === null) {
        await write();
        await delay(PAUSE_MS);
      }
    });
  }

  /** Lets every writer finish what it has begun: a repeatable write until it is acknowledged. */
  async stop(): Promise<void> {
    this.stoppedAt = performance.now();
    await Promise.all(this.writers);
  }

  /** Repeats a write until it is acknowledged or refused, at each gateway in turn. */
  private async repeat(gateway: number, write: (gateway: number) => Promise<Reply>): Promise<Reply> {
    for (let attempt = 0; ; attempt += 1) {
      const reply = await write((gateway + attempt) % this.urls.length);
      const isLate = this.stoppedAt !== null && performance.now() - this.stoppedAt > STOP_WITHIN_MS;
      if (reply.outcome !== 'unknown' || isLate) return reply;
      await delay(RETRY_PAUSE_MS);
    }
  }

  private async create(gateway: number): Promise<void> {
    const { ledger, stage } = this;
    const name = this.name('Created');
    ledger.created.set(name, null);
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const { outcome, body } = await this.repeat(gateway, (at) =>
      this.client.send({
        kind: 'create',
        gateway: at,
        path: '/api/dev/apps',
        bearer: stage.developer.key,
        body: aListing({ name }),
        headers,
      }),
    );
    if (outcome === 'acknowledged') ledger.created.set(name, (body as { id: string }).id);
  }

  /** Each gateway has an app of its own; after an unknown outcome the current revision is read. */
  private async update(gateway: number): Promise<void> {
    const app = this.stage.updatedApps[gateway % this.stage.updatedApps.length]!;
    const known = this.ledger.updated.get(app.id) ?? { acknowledged: [], unknown: 0 };
    this.ledger.updated.set(app.id, known);
    const description = this.name('Description');
    const read = await this.repeat(gateway, (at) =>
      this.client.send({
        kind: 'read',
        gateway: at,
        method: 'GET',
        path: `/api/dev/apps/${app.id}`,
        bearer: this.stage.developer.key,
      }),
    );
    if (read.outcome !== 'acknowledged') return;
    const { revision } = read.body as { revision: number };
    const reply = await this.client.send({
      kind: 'update',
      gateway,
      method: 'PUT',
      path: `/api/dev/apps/${app.id}`,
      bearer: this.stage.developer.key,
      body: { description },
      headers: { 'if-match': `"${revision}"` },
    });
    if (reply.outcome === 'unknown') known.unknown += 1;
    if (reply.outcome === 'acknowledged')
      known.acknowledged.push({ revision: (reply.body as { revision: number }).revision, description });
  }

  private async install(gateway: number): Promise<void> {
    const { installs } = this.ledger;
    const reply = await this.sendInstall('install', gateway, this.stage.plain, {});
    if (reply.outcome === 'unknown') installs.unknown += 1;
    else {
      installs.acknowledged += 1;
      this.installTimes.push(reply.endedAt);
    }
  }

  private async installOnce(gateway: number): Promise<void> {
    const installationId = crypto.randomUUID();
    this.ledger.installedOnce.set(installationId, false);
    const { outcome } = await this.repeat(gateway, (at) =>
      this.sendInstall('installOnce', at, this.stage.once, { installationId }),
    );
    if (outcome === 'acknowledged') this.ledger.installedOnce.set(installationId, true);
  }

  private async installKeyed(gateway: number): Promise<void> {
    const key = crypto.randomUUID();
    this.ledger.installedKeyed.set(key, false);
    const { outcome } = await this.repeat(gateway, (at) =>
      this.sendInstall('installKeyed', at, this.stage.keyed, {}, { 'idempotency-key': key }),
    );
    if (outcome === 'acknowledged') this.ledger.installedKeyed.set(key, true);
  }

  private sendInstall(
    kind: WriteKind,
    gateway: number,
    { slug }: AppJson,
    body: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    return this.client.send({ kind, gateway, path: `/api/apps/${slug}/install`, body, headers });
  }

  private async rate(gateway: number): Promise<void> {
    const account = this.name('rater');
    const bearer = await this.issue(account).catch(() => null);
    if (!bearer) return;
    const stars = 1 + (this.number % 5);
    this.ledger.rated.set(account, null);
    const { outcome } = await this.repeat(gateway, (at) =>
      this.client.mutate(
        { kind: 'rate', gateway: at, bearer },
        'mutation ($slug: String!, $input: RateAppInput!) { rateApp(slug: $slug, input: $input) { id } }',
        { slug: this.stage.plain.slug, input: { rating: stars } },
      ),
    );
    if (outcome === 'acknowledged') this.ledger.rated.set(account, stars);
  }

  private async message(gateway: number): Promise<void> {
    const text = this.name('Message');
    this.ledger.messages.set(text, false);
    const { outcome } = await this.client.mutate(
      { kind: 'message', gateway, bearer: this.stage.developer.token },
      'mutation ($id: ID!, $text: String!) { messageReviewers(id: $id, text: $text) { id } }',
      { id: this.stage.talked.id, text },
    );
    if (outcome === 'acknowledged') this.ledger.messages.set(text, true);
  }

  /** Submits the app that was created last; two administrators claim it at once, at different gateways. */
  private async submitAndClaim(): Promise<void> {
    const { ledger, stage, admins, urls } = this;
    const id = [...ledger.created.values()].findLast((each) => each !== null);
    if (!id || ledger.claims.has(id)) return;
    const { outcome } = await this.repeat(0, (at) =>
      this.client.send({
        kind: 'submit',
        gateway: at,
        path: `/api/dev/apps/${id}/submit`,
        bearer: stage.developer.key,
      }),
    );
    if (outcome === 'unknown') return;
    const claims = admins.map(async ({ accountUserId, token }, i) => {
      const { outcome } = await this.repeat(i % urls.length, (at) =>
        this.client.mutate(
          { kind: 'claim', gateway: at, bearer: token },
          'mutation ($id: ID!) { claimReview(id: $id) { id } }',
          { id },
        ),
      );
      return outcome === 'acknowledged' ? [accountUserId] : [];
    });
    ledger.claims.set(id, (await Promise.all(claims)).flat());
  }

  /** A public read, which must show every install that was acknowledged more than a second before. */
  private async read(gateway: number): Promise<void> {
    const from = performance.now() - 1_000;
    const atLeast = this.installTimes.filter((time) => time < from).length;
    const path = `/api/apps/${this.stage.plain.slug}`;
    const reply = await this.client.send({ kind: 'read', gateway, method: 'GET', path });
    if (reply.outcome !== 'acknowledged') return;
    if ((reply.body as { installCount: number }).installCount < atLeast) this.history.staleReads += 1;
  }

  private name(stem: string): string {
    this.number += 1;
    return `${stem} ${this.number} ${crypto.randomUUID().slice(0, 8)}`;
  }
}
