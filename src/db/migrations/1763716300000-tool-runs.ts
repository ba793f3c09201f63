import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tools that calls have used. A process that died in the middle of it leaves whole steps, which the next one skips. */
export class ToolRuns1763716300000 implements MigrationInterface {
  name = 'ToolRuns1763716300000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table.replaceAll('"', '`'));
    if (!(await runner.hasColumn('turns', 'tool_rounds')))
      await runner.query(
        'ALTER TABLE `turns` ADD COLUMN `tool_rounds` longtext CHARACTER SET `utf8mb4` COLLATE `utf8mb4_bin` NULL',
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `turns` DROP COLUMN `tool_rounds`');
    await runner.query('DROP TABLE `tool_runs`');
  }
}

const table = `
  CREATE TABLE IF NOT EXISTS "tool_runs" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "call_id" bigint UNSIGNED NOT NULL,
    "branch" int UNSIGNED NOT NULL,
    "turn_index" int UNSIGNED NOT NULL,
    "call_index" int UNSIGNED NOT NULL,
    "request_sha256" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "tool_uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "state" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "result" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "started_at" datetime(6) NOT NULL,
    "finished_at" datetime(6) NULL,
    UNIQUE INDEX "uq_tool_runs_place" ("call_id", "branch", "turn_index", "call_index", "request_sha256"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_tool_runs_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_tool_runs_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
