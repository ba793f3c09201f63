import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tries of those who sign in or up, in the form of rate-limiter-flexible, and how far users know the console. A process that died in the middle of it leaves whole statements behind, which the next one skips. */
export class Users1763717810000 implements MigrationInterface {
  name = 'Users1763717810000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(attempts.replaceAll('"', '`'));
    if (!(await runner.hasColumn('users', 'onboarding_state')))
      await runner.query(
        'ALTER TABLE `users` ADD COLUMN `onboarding_state` longtext CHARACTER SET `utf8mb4` COLLATE `utf8mb4_bin` NULL',
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `users` DROP COLUMN `onboarding_state`');
    await runner.query('DROP TABLE `attempts`');
  }
}

const attempts = `
  CREATE TABLE IF NOT EXISTS "attempts" (
    "key" varchar(255) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "points" int NOT NULL DEFAULT 0,
    "expire" bigint UNSIGNED NULL,
    PRIMARY KEY ("key")
  ) ENGINE=InnoDB
`;
