import { Migration } from '@mikro-orm/migrations';

/** The names of administrators, for one another (D427). */
export class Administrators extends Migration {
  override up(): void {
    this.addSql(`
      create table administrators (
        account_user_id text primary key,
        name text not null,
        updated_at timestamptz(3) not null
      )`);
    this.addSql(
      "comment on table administrators is 'The names of administrators, as their account tokens last said.'",
    );
  }
}
