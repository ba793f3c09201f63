import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Models that organizations bring. A process that died in the middle of it leaves a whole table, which the next one skips. */
export class ModelConfigurations1763718100000 implements MigrationInterface {
  name = 'ModelConfigurations1763718100000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE `model_configurations`');
  }
}

const table = `
  CREATE TABLE IF NOT EXISTS "model_configurations" (
    "organization_id" bigint UNSIGNED NOT NULL,
    "configuration_encrypted" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "updated_at" datetime(6) NOT NULL,
    "validated_at" datetime(6) NULL,
    PRIMARY KEY ("organization_id"),
    CONSTRAINT "fk_model_configurations_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
