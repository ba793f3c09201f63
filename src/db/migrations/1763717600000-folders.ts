import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Folders of agents. A process that died in the middle of it leaves whole statements behind, which the next one skips. */
export class Folders1763717600000 implements MigrationInterface {
  name = 'Folders1763717600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(table.replaceAll('"', '`'));
    const [present]: unknown[] = await runner.query(
      "SELECT 1 FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'agents' AND column_name = 'folder_id'",
    );
    if (present === undefined) await runner.query(column);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE `agents` DROP FOREIGN KEY `fk_agents_folder`, DROP COLUMN `folder_id`');
    await runner.query('DROP TABLE `folders`');
  }
}

const table = `
  CREATE TABLE IF NOT EXISTS "folders" (
    "id" bigint UNSIGNED NOT NULL AUTO_INCREMENT,
    "organization_id" bigint UNSIGNED NOT NULL,
    "name" varchar(100) CHARACTER SET "utf8mb4" COLLATE "utf8mb4_bin" NOT NULL,
    "created_at" datetime(6) NOT NULL,
    "updated_at" datetime(6) NOT NULL,
    UNIQUE INDEX "uq_folders_name" ("organization_id", "name"),
    PRIMARY KEY ("id"),
    CONSTRAINT "fk_folders_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;

const column =
  'ALTER TABLE `agents` ADD COLUMN `folder_id` bigint UNSIGNED NULL, ADD CONSTRAINT `fk_agents_folder` FOREIGN KEY (`folder_id`) REFERENCES `folders`(`id`) ON DELETE NO ACTION ON UPDATE NO ACTION';
