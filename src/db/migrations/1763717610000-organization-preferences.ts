import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Preferences of organizations. A process that died in the middle of it leaves a whole table, which the next one skips. */
export class OrganizationPreferences1763717610000 implements MigrationInterface {
  name = 'OrganizationPreferences1763717610000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE `organization_preferences`');
  }
}

const table = `
  CREATE TABLE IF NOT EXISTS "organization_preferences" (
    "organization_id" bigint UNSIGNED NOT NULL,
    "test_phone_number" varchar(64) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "timezone" varchar(64) CHARACTER SET "ascii" COLLATE "ascii_bin" NULL,
    "external_pbx_enabled" tinyint NOT NULL,
    "updated_at" datetime(6) NOT NULL,
    PRIMARY KEY ("organization_id"),
    CONSTRAINT "fk_organization_preferences_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
