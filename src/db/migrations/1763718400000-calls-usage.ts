import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls of an organization are listed by their moment, and what they used is summed up without reading their rows. */
export class CallsUsage1763718400000 implements MigrationInterface {
  name = 'CallsUsage1763718400000';

  async up(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable('calls');
    if (table?.indices.some(({ name }) => name === 'ix_calls_usage') === true) return;
    await runner.query(
      'CREATE INDEX `ix_calls_usage` ON `calls` (`organization_id`, `created_at`, `id`, `started_at`, `ended_at`, `cost_usd`)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX `ix_calls_usage` ON `calls`');
  }
}
