import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the operator stops, for everybody or for one organization. A process that died in the middle of it leaves whole statements behind, which the next one skips. */
export class DialingSwitch1763719100000 implements MigrationInterface {
  name = 'DialingSwitch1763719100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(installationStops.replaceAll('"', '`'));
    if (!(await runner.hasColumn('dial_policies', 'operator_stopped_at')))
      await runner.query(
        'ALTER TABLE `dial_policies` ADD COLUMN `operator_stopped_at` datetime(6) NULL AFTER `stopped_by_user_id`',
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `dial_policies` DROP COLUMN `operator_stopped_at`');
    await runner.query('DROP TABLE `installation_stops`');
  }
}

const installationStops = `
  CREATE TABLE IF NOT EXISTS "installation_stops" (
    "what" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "since" datetime(6) NOT NULL,
    "reason" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    PRIMARY KEY ("what")
  ) ENGINE=InnoDB
`;
