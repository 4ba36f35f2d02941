import { Migration } from '@mikro-orm/migrations';

/** Rows that gateways write to the primary, so that they recognise its replicas (D247). */
export class ReplicationMarks extends Migration {
  override up(): void {
    this.addSql(`
      create table replication_marks (
        id uuid primary key,
        written_at timestamptz(3) not null default now()
      )`);
  }
}
