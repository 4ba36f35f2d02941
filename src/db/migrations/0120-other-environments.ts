import { Migration } from '@mikro-orm/migrations';

/** A list by date, rating or name of a category and another environment than production reads no other apps. */
const indexes = {
  apps_other_newest: 'approved_at desc, id',
  apps_other_rating: 'average_rating desc, review_count desc, id',
  apps_other_name: 'sort_name, id',
};

export class OtherEnvironments extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const [name, order] of Object.entries(indexes)) {
      this.addSql(`drop index concurrently if exists ${name}`);
      this.addSql(`create index concurrently if not exists ${name} on apps (category, environment, ${order})
        include (featured) where listed and environment <> 'production'`);
    }
  }
}
