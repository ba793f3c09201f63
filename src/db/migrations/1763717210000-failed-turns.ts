import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Turns that failed: the log of the call tells of them. */
export class FailedTurns1763717210000 implements MigrationInterface {
  name = 'FailedTurns1763717210000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE `failed_turns`');
  }
}

const table = `
  CREATE TABLE IF NOT EXISTS "failed_turns" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "call_id" bigint UNSIGNED NOT NULL,
    "failure" int UNSIGNED NOT NULL,
    "branch" int UNSIGNED NOT NULL,
    "turn_index" int UNSIGNED NOT NULL,
    "event" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "created_at" datetime(6) NOT NULL,
    UNIQUE INDEX "uq_failed_turns_place" ("call_id", "failure"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_failed_turns_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_failed_turns_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
