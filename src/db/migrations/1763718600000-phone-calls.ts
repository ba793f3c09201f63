import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a call that is spoken needs. A process that died in the middle of it leaves whole tables, which the next one skips. */
export class PhoneCalls1763718600000 implements MigrationInterface {
  name = 'PhoneCalls1763718600000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(table.replaceAll('"', '`'));
    if (!(await runner.hasColumn('calls', 'answered_at')))
      await runner.query(
        'ALTER TABLE `calls` ADD COLUMN `answered_at` datetime(6) NULL, ADD COLUMN `recorded_at` datetime(6) NULL',
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `calls` DROP COLUMN `recorded_at`, DROP COLUMN `answered_at`');
    for (const name of [
      'call_recordings',
      'journal_entries',
      'call_seats',
      'media_hosts',
      'carrier_events',
      'phone_legs',
    ])
      await runner.query(`DROP TABLE \`${name}\``);
  }
}

const phoneLegs = `
  CREATE TABLE IF NOT EXISTS "phone_legs" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "call_id" bigint UNSIGNED NOT NULL,
    "role" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "configuration_id" bigint UNSIGNED NOT NULL,
    "reference" varchar(96) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "call_control_id" varchar(255) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
    "leg_id" varchar(96) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
    "session_id" varchar(96) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
    "state" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "hangup_cause" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
    "detection" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
    "dialed_at" datetime(6) NULL,
    "answered_at" datetime(6) NULL,
    "ended_at" datetime(6) NULL,
    "created_at" datetime(6) NOT NULL,
    UNIQUE INDEX "uq_phone_legs_reference" ("reference"),
    UNIQUE INDEX "uq_phone_legs_control" ("organization_id", "call_control_id"),
    INDEX "ix_phone_legs_call" ("call_id", "role"),
    INDEX "ix_phone_legs_leg" ("organization_id", "leg_id"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_phone_legs_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_phone_legs_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;

const carrierEvents = `
  CREATE TABLE IF NOT EXISTS "carrier_events" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "call_id" bigint UNSIGNED NULL,
    "event_id" varchar(96) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "event_type" varchar(96) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "occurred_at" datetime(6) NOT NULL,
    "raw" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "received_at" datetime(6) NOT NULL,
    "delivered_at" datetime(6) NULL,
    UNIQUE INDEX "uq_carrier_events_event" ("organization_id", "event_id"),
    INDEX "ix_carrier_events_call" ("call_id", "occurred_at"),
    INDEX "ix_carrier_events_undelivered" ("delivered_at", "received_at"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_carrier_events_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_carrier_events_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;

const mediaHosts = `
  CREATE TABLE IF NOT EXISTS "media_hosts" (
    "id" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "host_queue" varchar(96) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "public_url" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "started_at" datetime(6) NOT NULL,
    "lease_expires_at" datetime(6) NOT NULL,
    "is_draining" tinyint NOT NULL,
    "live_calls" int UNSIGNED NOT NULL,
    "max_calls" int UNSIGNED NOT NULL,
    "lost_at" datetime(6) NULL,
    "lost_told_at" datetime(6) NULL,
    INDEX "ix_media_hosts_lease" ("lost_told_at", "lease_expires_at"),
    PRIMARY KEY ("id")
  ) ENGINE=InnoDB
`;

const callSeats = `
  CREATE TABLE IF NOT EXISTS "call_seats" (
    "call_id" bigint UNSIGNED NOT NULL,
    "organization_id" bigint UNSIGNED NOT NULL,
    "generation" int UNSIGNED NOT NULL,
    "host_id" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "token_encrypted" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "token_used_at" datetime(6) NULL,
    "claimed_at" datetime(6) NOT NULL,
    "media_began_at" datetime(6) NULL,
    "released_at" datetime(6) NULL,
    INDEX "ix_call_seats_host" ("host_id", "released_at"),
    PRIMARY KEY ("call_id"),
    CONSTRAINT "fk_call_seats_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_call_seats_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;

const journalEntries = `
  CREATE TABLE IF NOT EXISTS "journal_entries" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "call_id" bigint UNSIGNED NOT NULL,
    "generation" int UNSIGNED NOT NULL,
    "turn_index" int UNSIGNED NOT NULL,
    "visit_index" int UNSIGNED NOT NULL,
    "tool_round" int UNSIGNED NOT NULL,
    "position" int UNSIGNED NOT NULL,
    "kind" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "text" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "data" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "sent_at" datetime(6) NULL,
    "played_at" datetime(6) NULL,
    "heard_text" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "written_at" datetime(6) NOT NULL,
    UNIQUE INDEX "uq_journal_entries_place" ("call_id", "generation", "turn_index", "visit_index", "tool_round", "kind", "position"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_journal_entries_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_journal_entries_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;

const callRecordings = `
  CREATE TABLE IF NOT EXISTS "call_recordings" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "call_id" bigint UNSIGNED NOT NULL,
    "generation" int UNSIGNED NOT NULL,
    "storage_key" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "sample_rate" int UNSIGNED NOT NULL,
    "began_at" datetime(6) NOT NULL,
    "ended_at" datetime(6) NULL,
    UNIQUE INDEX "uq_call_recordings_generation" ("call_id", "generation"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_call_recordings_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_call_recordings_call" FOREIGN KEY ("call_id") REFERENCES "calls"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;

const tables = [phoneLegs, carrierEvents, mediaHosts, callSeats, journalEntries, callRecordings];
