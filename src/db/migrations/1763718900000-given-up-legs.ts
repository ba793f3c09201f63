import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A leg that its call has given up is hung up by whoever hears that it lives. */
export class GivenUpLegs1763718900000 implements MigrationInterface {
  name = 'GivenUpLegs1763718900000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('phone_legs', 'hang_up_from')) return;
    await runner.query('ALTER TABLE `phone_legs` ADD COLUMN `hang_up_from` datetime(6) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `phone_legs` DROP COLUMN `hang_up_from`');
  }
}
