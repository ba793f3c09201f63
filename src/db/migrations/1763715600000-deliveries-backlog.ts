import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What waits to be delivered, in all organizations, is counted every few seconds: an index answers that alone. */
export class DeliveriesBacklog1763715600000 implements MigrationInterface {
  name = 'DeliveriesBacklog1763715600000';

  async up(runner: QueryRunner): Promise<void> {
    // A process that died between the index and the record of this migration left the index behind.
    const [present]: unknown[] = await runner.query(
      "SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 'deliveries' AND index_name = 'ix_deliveries_backlog' LIMIT 1",
    );
    if (present === undefined)
      await runner.query(
        'CREATE INDEX `ix_deliveries_backlog` ON `deliveries` (`state`, `next_attempt_at`, `created_at`)',
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX `ix_deliveries_backlog` ON `deliveries`');
  }
}
