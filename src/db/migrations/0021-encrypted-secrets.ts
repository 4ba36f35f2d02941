import { Migration } from '@mikro-orm/migrations';

/** Webhook secrets may be encrypted; a worker encrypts those that are not (D126). */
export class EncryptedSecrets extends Migration {
  override up(): void {
    this.addSql('alter table webhook_endpoints drop constraint webhook_endpoints_signing_secret_check');
    this.addSql(`
      alter table webhook_endpoints add constraint webhook_endpoints_signing_secret_check
        check (signing_secret like 'whsec\\_%' or signing_secret like 'enc.v1.%')`);
  }
}
