import { Migration } from '@mikro-orm/migrations';

/** Where several gateways count together. Unlogged: after a crash everybody begins at zero, and counting costs less. */
export class RateLimits extends Migration {
  override up(): void {
    // The columns and their order are those of rate-limiter-flexible; `expire` is in milliseconds.
    this.addSql(`
      create unlogged table rate_limits (
        key varchar(255) primary key,
        points integer not null default 0,
        expire bigint
      )`);
  }
}
