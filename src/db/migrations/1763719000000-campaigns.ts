import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Contact files and their rows, numbers that are never dialed, and campaigns over contacts. */
export class Campaigns1763719000000 implements MigrationInterface {
  name = 'Campaigns1763719000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of tables) await runner.query(table.replaceAll('"', '`'));
    if (await runner.hasColumn('calls', 'campaign_id')) return;
    await runner.query(
      'ALTER TABLE `calls` ADD COLUMN `campaign_id` bigint UNSIGNED NULL, ADD INDEX `ix_calls_campaign` (`organization_id`, `campaign_id`, `created_at`), ADD CONSTRAINT `fk_calls_campaign` FOREIGN KEY (`campaign_id`) REFERENCES `campaigns`(`id`) ON DELETE NO ACTION ON UPDATE NO ACTION',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of ['number_dials', 'campaign_logs', 'campaign_attempts', 'campaign_targets'])
      await runner.query(`DROP TABLE \`${name}\``);
    await runner.query('ALTER TABLE `calls` DROP FOREIGN KEY `fk_calls_campaign`');
    await runner.query('ALTER TABLE `calls` DROP INDEX `ix_calls_campaign`, DROP COLUMN `campaign_id`');
    for (const name of ['campaigns', 'dial_policies', 'suppressions', 'contacts', 'directories'])
      await runner.query(`DROP TABLE \`${name}\``);
  }
}

const ofOrganization = (table: string) =>
  `CONSTRAINT "fk_${table}_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`;
const refersTo = (
  table: string,
  { name, column, target }: { name: string; column: string; target: string },
) =>
  `CONSTRAINT "fk_${table}_${name}" FOREIGN KEY ("${column}") REFERENCES "${target}"("id") ON DELETE NO ACTION ON UPDATE NO ACTION`;
const word = (length: number) => `varchar(${length}) CHARACTER SET "ascii" COLLATE "ascii_bin"`;
const text = (length: number) => `varchar(${length}) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin"`;
const longText = 'longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin"';
const uuid = 'char(36) CHARACTER SET "ascii" COLLATE "ascii_bin"';
const reference = 'bigint UNSIGNED';

const tables = [
  `CREATE TABLE IF NOT EXISTS "directories" (
    "id" ${reference} NOT NULL AUTO_INCREMENT,
    "uuid" ${uuid} NOT NULL,
    "organization_id" ${reference} NOT NULL,
    "name" ${text(255)} NOT NULL,
    "file_key" ${word(255)} NOT NULL,
    "file_name" ${text(255)} NOT NULL,
    "kind" ${word(8)} NOT NULL,
    "bytes" ${reference} NOT NULL,
    "sha256" ${word(64)} NOT NULL,
    "reading" ${longText} NOT NULL,
    "mapping" ${longText} NOT NULL,
    "state" ${word(16)} NOT NULL,
    "import_number" int UNSIGNED NOT NULL,
    "columns" ${longText} NOT NULL,
    "totals" ${longText} NOT NULL,
    "fault" ${longText} NULL,
    "created_by_user_id" ${reference} NULL,
    "created_at" datetime(6) NOT NULL,
    "imported_at" datetime(6) NULL,
    UNIQUE INDEX "uq_directories_uuid" ("uuid"),
    UNIQUE INDEX "uq_directories_file_key" ("file_key"),
    INDEX "ix_directories_list" ("organization_id", "created_at"),
    INDEX "ix_directories_sha256" ("organization_id", "sha256"),
    PRIMARY KEY ("id"),
    ${ofOrganization('directories')}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS "contacts" (
    "directory_id" ${reference} NOT NULL,
    "import_number" int UNSIGNED NOT NULL,
    "row_number" int UNSIGNED NOT NULL,
    "organization_id" ${reference} NOT NULL,
    "state" ${word(16)} NOT NULL,
    "phone" ${word(20)} NULL,
    "zone_key" ${word(64)} NOT NULL,
    "identifier" ${text(255)} NULL,
    "priority" int NOT NULL,
    "cells" ${longText} NOT NULL,
    "findings" ${longText} NULL,
    INDEX "ix_contacts_phone" ("organization_id", "phone"),
    PRIMARY KEY ("directory_id", "import_number", "row_number"),
    ${ofOrganization('contacts')},
    ${refersTo('contacts', { name: 'directory', column: 'directory_id', target: 'directories' })}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS "suppressions" (
    "id" ${reference} NOT NULL AUTO_INCREMENT,
    "organization_id" ${reference} NOT NULL,
    "phone" ${word(20)} NOT NULL,
    "source" ${word(16)} NOT NULL,
    "reason" ${longText} NOT NULL,
    "call_id" ${reference} NULL,
    "created_by_user_id" ${reference} NULL,
    "created_at" datetime(6) NOT NULL,
    UNIQUE INDEX "uq_suppressions_phone" ("organization_id", "phone"),
    INDEX "ix_suppressions_list" ("organization_id", "created_at"),
    PRIMARY KEY ("id"),
    ${ofOrganization('suppressions')}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS "dial_policies" (
    "organization_id" ${reference} NOT NULL,
    "policy" ${longText} NOT NULL,
    "stopped_at" datetime(6) NULL,
    "stopped_by_user_id" ${reference} NULL,
    "pace_tokens" double NOT NULL,
    "pace_at" datetime(6) NOT NULL,
    "updated_at" datetime(6) NOT NULL,
    PRIMARY KEY ("organization_id"),
    ${ofOrganization('dial_policies')}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS "campaigns" (
    "id" ${reference} NOT NULL AUTO_INCREMENT,
    "uuid" ${uuid} NOT NULL,
    "organization_id" ${reference} NOT NULL,
    "name" ${text(255)} NOT NULL,
    "agent_id" ${reference} NOT NULL,
    "version_id" ${reference} NULL,
    "directory_id" ${reference} NOT NULL,
    "import_number" int UNSIGNED NULL,
    "configuration_id" ${reference} NULL,
    "state" ${word(16)} NOT NULL,
    "settings" ${longText} NOT NULL,
    "total_rows" int UNSIGNED NULL,
    "planned_through_row" int UNSIGNED NOT NULL,
    "planned_at" datetime(6) NULL,
    "sync_fault" ${longText} NULL,
    "wait_reason" ${word(32)} NULL,
    "wait_until" datetime(6) NULL,
    "stop_mode" ${word(16)} NULL,
    "breaker_since" datetime(6) NULL,
    "hungry_until" datetime(6) NULL,
    "parent_campaign_id" ${reference} NULL,
    "redialed_campaign_id" ${reference} NULL,
    "created_by_user_id" ${reference} NULL,
    "created_at" datetime(6) NOT NULL,
    "started_at" datetime(6) NULL,
    "completed_at" datetime(6) NULL,
    UNIQUE INDEX "uq_campaigns_uuid" ("uuid"),
    INDEX "ix_campaigns_list" ("organization_id", "created_at"),
    INDEX "ix_campaigns_state" ("state", "organization_id"),
    INDEX "ix_campaigns_directory" ("directory_id"),
    PRIMARY KEY ("id"),
    ${ofOrganization('campaigns')},
    ${refersTo('campaigns', { name: 'agent', column: 'agent_id', target: 'agents' })},
    ${refersTo('campaigns', { name: 'directory', column: 'directory_id', target: 'directories' })}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS "campaign_targets" (
    "campaign_id" ${reference} NOT NULL,
    "row_number" int UNSIGNED NOT NULL,
    "organization_id" ${reference} NOT NULL,
    "state" ${word(12)} NOT NULL,
    "phone" ${word(20)} NOT NULL,
    "zone_key" ${word(64)} NOT NULL,
    "position" bigint NOT NULL,
    "due_at" datetime(6) NULL,
    "wait_reason" ${word(32)} NULL,
    "attempts" int UNSIGNED NOT NULL,
    "tries" int UNSIGNED NOT NULL,
    "outcome" ${word(24)} NULL,
    "call_id" ${reference} NULL,
    "phone_number_id" ${reference} NULL,
    "lease_until" datetime(6) NULL,
    "settled_at" datetime(6) NULL,
    INDEX "ix_campaign_targets_fresh" ("campaign_id", "state", "zone_key", "position"),
    INDEX "ix_campaign_targets_due" ("campaign_id", "state", "due_at"),
    INDEX "ix_campaign_targets_lines" ("organization_id", "state", "phone_number_id"),
    INDEX "ix_campaign_targets_phone" ("organization_id", "phone"),
    UNIQUE INDEX "uq_campaign_targets_call" ("call_id"),
    PRIMARY KEY ("campaign_id", "row_number"),
    ${ofOrganization('campaign_targets')},
    ${refersTo('campaign_targets', { name: 'campaign', column: 'campaign_id', target: 'campaigns' })}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS "campaign_attempts" (
    "campaign_id" ${reference} NOT NULL,
    "row_number" int UNSIGNED NOT NULL,
    "try_number" int UNSIGNED NOT NULL,
    "organization_id" ${reference} NOT NULL,
    "call_id" ${reference} NOT NULL,
    "because" ${word(24)} NULL,
    "begun_at" datetime(6) NOT NULL,
    "outcome" ${word(24)} NULL,
    "is_spent" tinyint NULL,
    "settled_at" datetime(6) NULL,
    UNIQUE INDEX "uq_campaign_attempts_call" ("call_id"),
    INDEX "ix_campaign_attempts_settled" ("campaign_id", "settled_at", "outcome"),
    PRIMARY KEY ("campaign_id", "row_number", "try_number"),
    ${ofOrganization('campaign_attempts')},
    ${refersTo('campaign_attempts', { name: 'campaign', column: 'campaign_id', target: 'campaigns' })},
    ${refersTo('campaign_attempts', { name: 'call', column: 'call_id', target: 'calls' })}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS "campaign_logs" (
    "id" ${reference} NOT NULL AUTO_INCREMENT,
    "organization_id" ${reference} NOT NULL,
    "campaign_id" ${reference} NOT NULL,
    "at" datetime(6) NOT NULL,
    "level" ${word(8)} NOT NULL,
    "event" ${word(48)} NOT NULL,
    "message" ${longText} NOT NULL,
    "details" ${longText} NOT NULL,
    INDEX "ix_campaign_logs_campaign" ("campaign_id", "at"),
    PRIMARY KEY ("id"),
    ${ofOrganization('campaign_logs')},
    ${refersTo('campaign_logs', { name: 'campaign', column: 'campaign_id', target: 'campaigns' })}
  ) ENGINE=InnoDB`,
  `CREATE TABLE IF NOT EXISTS "number_dials" (
    "id" ${reference} NOT NULL AUTO_INCREMENT,
    "organization_id" ${reference} NOT NULL,
    "phone" ${word(20)} NOT NULL,
    "call_id" ${reference} NOT NULL,
    "dialed_at" datetime(6) NOT NULL,
    INDEX "ix_number_dials_phone" ("organization_id", "phone", "dialed_at"),
    UNIQUE INDEX "uq_number_dials_call" ("call_id"),
    PRIMARY KEY ("id"),
    ${ofOrganization('number_dials')},
    ${refersTo('number_dials', { name: 'call', column: 'call_id', target: 'calls' })}
  ) ENGINE=InnoDB`,
];
