import { Migration } from '@mikro-orm/migrations';

/**
 * An index for the lists of a category and an environment other than production. They are short, and were found by reading
 * the whole category in the order of installs (D310). Most apps are not in it, so most installs do not change it.
 */
export class EnvironmentLists extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql('drop index concurrently if exists app_figures_environment');
    this.addSql(`
      create index concurrently if not exists app_figures_environment
      on app_figures (category, environment, install_count desc, approved_at desc, id) include (featured)
      where listed and environment <> 'production'`);
  }
}
