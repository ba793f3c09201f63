import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The waiting deliveries of an endpoint are found by its node, and are woken once between two attempts of their own. */
export class DeliveryWoken1763715700000 implements MigrationInterface {
  name = 'DeliveryWoken1763715700000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('deliveries', 'woken_attempt')))
      await runner.query('ALTER TABLE `deliveries` ADD `woken_attempt` int UNSIGNED NULL');
    const table = await runner.getTable('deliveries');
    if (table?.indices.some(({ name }) => name === 'ix_deliveries_endpoint') === true) return;
    await runner.query(
      'CREATE INDEX `ix_deliveries_endpoint` ON `deliveries` (`organization_id`, `agent_id`, `node_id`, `state`)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX `ix_deliveries_endpoint` ON `deliveries`');
    await runner.query('ALTER TABLE `deliveries` DROP COLUMN `woken_attempt`');
  }
}
