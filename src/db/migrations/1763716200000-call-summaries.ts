import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Summaries of long calls. A process that died in the middle of it leaves a whole table, which the next one skips. */
export class CallSummaries1763716200000 implements MigrationInterface {
  name = 'CallSummaries1763716200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE `call_summaries`');
  }
}

const table = `
  CREATE TABLE IF NOT EXISTS "call_summaries" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "call_id" bigint UNSIGNED NOT NULL,
    "branch" int UNSIGNED NOT NULL,
    "turn_index" int UNSIGNED NOT NULL,
    "line_count" int UNSIGNED NOT NULL,
    "text" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "usage_info" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "created_at" datetime(6) NOT NULL,
    UNIQUE INDEX "uq_call_summaries_place" ("call_id", "branch", "turn_index"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_call_summaries_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_call_summaries_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
