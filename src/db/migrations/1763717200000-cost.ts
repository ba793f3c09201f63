import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What calls cost, and tokens that no turn, extraction or summary tells of. A process that died in the middle of it leaves whole steps, which the next one skips. */
export class Cost1763717200000 implements MigrationInterface {
  name = 'Cost1763717200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table.replaceAll('"', '`'));
    if (!(await runner.hasColumn('calls', 'cost_usd')))
      await runner.query('ALTER TABLE `calls` ADD COLUMN `cost_usd` decimal(16,8) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `calls` DROP COLUMN `cost_usd`');
    await runner.query('DROP TABLE `wasted_usage`');
  }
}

const table = `
  CREATE TABLE IF NOT EXISTS "wasted_usage" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "call_id" bigint UNSIGNED NOT NULL,
    "usage_info" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "created_at" datetime(6) NOT NULL,
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_wasted_usage_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_wasted_usage_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
