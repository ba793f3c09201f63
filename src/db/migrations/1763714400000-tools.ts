import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tools of organizations. A process that died in the middle of it leaves a whole table, which the next one skips. */
export class Tools1763714400000 implements MigrationInterface {
  name = 'Tools1763714400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table.replaceAll('"', '`'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE `tools`');
  }
}

const table = `
  CREATE TABLE IF NOT EXISTS "tools" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "uuid" char(36) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "organization_id" bigint UNSIGNED NOT NULL,
    "created_by_user_id" bigint UNSIGNED NULL,
    "name" varchar(255) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "description" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NULL,
    "category" varchar(32) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "icon" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "icon_color" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "state" varchar(16) CHARACTER SET "ascii" COLLATE "ascii_bin" NOT NULL,
    "definition" longtext CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "created_at" datetime(6) NOT NULL,
    "updated_at" datetime(6) NOT NULL,
    UNIQUE INDEX "uq_tools_uuid" ("uuid"),
    INDEX "ix_tools_organization_created" ("organization_id", "created_at"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_tools_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION,
    CONSTRAINT "fk_tools_created_by_user" FOREIGN KEY ("created_by_user_id") REFERENCES "users"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
