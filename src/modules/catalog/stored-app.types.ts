import { StoredJson } from '../../operations/stored-json.js';
import type { PublicApp } from './catalog.types.js';

/** A row of a list of public apps, or the one row of an app. */
export interface StoredAppRow {
  document: string;
  developerId: string;
  /** Only in lists that are sorted by it. */
  sortName?: string;
  relevance?: number;
}

/** A public app as the database stores it (D304). REST sends its JSON; GraphQL reads fields, and the first one parses it. */
export class StoredApp extends StoredJson implements PublicApp {
  readonly sortName: string | undefined;
  readonly relevance: number | undefined;
  private readonly developerId: string;
  private parsed: PublicApp | null = null;

  constructor({ document, developerId, sortName, relevance }: StoredAppRow) {
    super(document);
    this.developerId = developerId;
    this.sortName = sortName;
    this.relevance = relevance;
  }

  private get app(): PublicApp {
    if (!this.parsed) {
      this.parsed = JSON.parse(this.json) as PublicApp;
      // REST does not publish it.
      this.parsed.developer.id = this.developerId;
    }
    return this.parsed;
  }

  get id() {
    return this.app.id;
  }
  get slug() {
    return this.app.slug;
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
  get environment() {
    return this.app.environment;
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
  get screenshots() {
    return this.app.screenshots;
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
  get createdAt() {
    return this.app.createdAt;
  }
  get updatedAt() {
    return this.app.updatedAt;
  }
  get developer() {
    return this.app.developer;
  }
}
