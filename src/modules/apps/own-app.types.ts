import { StoredJson } from '../../operations/stored-json.js';
import type { App } from './app.entity.js';
import type { Rejection } from './rejection.types.js';

/** A row of the list of a developer's apps. */
export interface OwnAppRow {
  document: string;
  /** As it is stored: with the marks of addressed reasons, which the document does not have. */
  rejection: Rejection | null;
}

type Times = 'submittedAt' | 'approvedAt' | 'createdAt' | 'updatedAt';
/** The fields of an app, with times as text. */
type AppFields = Omit<App, 'developer' | Times> & { developer: { id: string } } & Record<
    Times,
    string | null
  >;

/** An app in a list of its developer, as the database stores it (D283). REST sends its JSON; GraphQL reads fields, and the first one parses it. */
export class OwnApp extends StoredJson implements AppFields {
  private parsed: AppFields | null = null;

  constructor(
    private readonly row: OwnAppRow,
    readonly developer: { id: string },
  ) {
    super(row.document);
  }

  private get app(): AppFields {
    this.parsed ??= JSON.parse(this.json) as AppFields;
    return this.parsed;
  }

  get id() {
    return this.app.id;
  }
  get createdAt() {
    return this.app.createdAt;
  }
  get updatedAt() {
    return this.app.updatedAt;
  }
  get name() {
    return this.app.name;
  }
  get description() {
    return this.app.description;
  }
  get longDescription() {
    return this.app.longDescription;
  }
  get category() {
    return this.app.category;
  }
  get logoUrl() {
    return this.app.logoUrl;
  }
  get bannerUrl() {
    return this.app.bannerUrl;
  }
  get websiteUrl() {
    return this.app.websiteUrl;
  }
  get oauthClientId() {
    return this.app.oauthClientId;
  }
  get screenshots() {
    return this.app.screenshots;
  }
  get revision() {
    return this.app.revision;
  }
  get submittedAt() {
    return this.app.submittedAt;
  }
  get rejection() {
    return this.row.rejection;
  }
  get slug() {
    return this.app.slug;
  }
  get environment() {
    return this.app.environment;
  }
  get status() {
    return this.app.status;
  }
  get featured() {
    return this.app.featured;
  }
  get installCount() {
    return this.app.installCount;
  }
  get reviewCount() {
    return this.app.reviewCount;
  }
  get averageRating() {
    return this.app.averageRating;
  }
  get approvedAt() {
    return this.app.approvedAt;
  }
}
