import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Scopes, expiry and rotation of API keys; keys that are there stay without limits. One statement: it is there or not. */
export class ApiKeyScopes1763717800000 implements MigrationInterface {
  name = 'ApiKeyScopes1763717800000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('api_keys', 'scopes'))) await runner.query(columns);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE `api_keys` DROP INDEX `uq_api_keys_rotated_from`, DROP COLUMN `scopes`, DROP COLUMN `expires_at`, DROP COLUMN `rotated_from_id`',
    );
  }
}

const columns = `
  ALTER TABLE \`api_keys\`
    ADD COLUMN \`scopes\` longtext CHARACTER SET \`utf8mb4\` COLLATE \`utf8mb4_bin\` NULL,
    ADD COLUMN \`expires_at\` datetime(6) NULL,
    ADD COLUMN \`rotated_from_id\` bigint UNSIGNED NULL,
    ADD UNIQUE INDEX \`uq_api_keys_rotated_from\` (\`rotated_from_id\`)
`;
