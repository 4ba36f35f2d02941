import { Migration } from '@mikro-orm/migrations';

/** The counts and figures of developers, and their most installed apps, are read from an index alone (D321). */
export class AppsOfDevelopers extends Migration {
  override up(): void {
    this.addSql('drop index concurrently if exists apps_of_developer');
    this.addSql(
      'create index concurrently if not exists apps_of_developer on apps (developer_id) include (id, category, environment, review_count, rating_sum) where listed',
    );
  }

  /** Indexes cannot be built concurrently inside a transaction. */
  override isTransactional(): boolean {
    return false;
  }
}
