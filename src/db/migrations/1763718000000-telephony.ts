import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Connections to carriers and their numbers. A process that died in the middle of it leaves whole tables behind, which the next one skips. */
export class Telephony1763718000000 implements MigrationInterface {
  name = 'Telephony1763718000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of [configurations, numbers]) await runner.query(table.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE `phone_numbers`');
    await runner.query('DROP TABLE `telephony_configurations`');
  }
}

const configurations = `
  CREATE TABLE IF NOT EXISTS "telephony_configurations" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "name" varchar(64) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "provider" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "connectivity" varchar(8) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "is_default_outbound" tinyint NULL,
    "credentials_encrypted" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "inactive_since" datetime(6) NULL,
    "inactive_reason" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "created_at" datetime(6) NOT NULL,
    "updated_at" datetime(6) NOT NULL,
    UNIQUE INDEX "uq_telephony_configurations_name" ("organization_id", "name"),
    UNIQUE INDEX "uq_telephony_configurations_default" ("organization_id", "is_default_outbound"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_telephony_configurations_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;

const numbers = `
  CREATE TABLE IF NOT EXISTS "phone_numbers" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "configuration_id" bigint UNSIGNED NOT NULL,
    "address" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "address_normalized" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "address_type" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "country_code" varchar(2) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
    "label" varchar(64) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "inbound_agent_id" bigint UNSIGNED NULL,
    "is_active" tinyint NOT NULL,
    "is_default_caller_id" tinyint NULL,
    "extra_metadata" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "created_at" datetime(6) NOT NULL,
    "updated_at" datetime(6) NOT NULL,
    UNIQUE INDEX "uq_phone_numbers_address" ("organization_id", "address_normalized"),
    UNIQUE INDEX "uq_phone_numbers_default_caller" ("configuration_id", "is_default_caller_id"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_phone_numbers_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_phone_numbers_configuration" FOREIGN KEY ("configuration_id") REFERENCES "telephony_configurations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_phone_numbers_inbound_agent" FOREIGN KEY ("inbound_agent_id") REFERENCES "agents"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
