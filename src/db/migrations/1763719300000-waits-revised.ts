import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a row's plan says stays known beside what hours and caps made of it, so that either may change. A process that died in the middle of it leaves whole columns behind, which the next one skips. */
export class WaitsRevised1763719300000 implements MigrationInterface {
  name = 'WaitsRevised1763719300000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('campaign_targets', 'not_before')))
      await runner.query(
        'ALTER TABLE `campaign_targets` ADD COLUMN `not_before` datetime(6) NULL AFTER `due_at`',
      );
    if (!(await runner.hasColumn('campaigns', 'revise_after_row')))
      await runner.query(
        'ALTER TABLE `campaigns` ADD COLUMN `revise_after_row` int UNSIGNED NULL AFTER `hungry_until`',
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `campaigns` DROP COLUMN `revise_after_row`');
    await runner.query('ALTER TABLE `campaign_targets` DROP COLUMN `not_before`');
  }
}
