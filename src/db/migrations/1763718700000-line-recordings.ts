import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lines that agents play instead of speaking them. */
export class LineRecordings1763718700000 implements MigrationInterface {
  name = 'LineRecordings1763718700000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE `line_recordings`');
  }
}

const table = `
  CREATE TABLE IF NOT EXISTS "line_recordings" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "recording_id" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "live_recording_id" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
    "agent_id" bigint UNSIGNED NULL,
    "tts_provider" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "tts_model" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "tts_voice_id" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "transcript" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "storage_key" varchar(255) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "storage_backend" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "metadata" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "created_by_user_id" bigint UNSIGNED NOT NULL,
    "created_at" datetime(6) NOT NULL,
    "updated_at" datetime(6) NOT NULL,
    "deleted_at" datetime(6) NULL,
    UNIQUE INDEX "uq_line_recordings_live" ("organization_id", "live_recording_id"),
    UNIQUE INDEX "uq_line_recordings_storage_key" ("storage_key"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_line_recordings_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_line_recordings_agent" FOREIGN KEY ("agent_id") REFERENCES "agents"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_line_recordings_user" FOREIGN KEY ("created_by_user_id") REFERENCES "users"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
