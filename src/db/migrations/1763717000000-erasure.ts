import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How long organizations keep what was said, and marks of what was removed. A process that died in the middle of it leaves whole steps, which the next one skips. */
export class Erasure1763717000000 implements MigrationInterface {
  name = 'Erasure1763717000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(policies.replaceAll('"', '`'));
    for (const [table, column] of marks) {
      if (!(await runner.hasColumn(table, column)))
        await runner.query(`ALTER TABLE \`${table}\` ADD COLUMN \`${column}\` datetime(6) NULL`);
    }
    for (const [name, columns] of indexes) {
      const [present]: unknown[] = await runner.query(
        `SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 'calls' AND index_name = '${name}' LIMIT 1`,
      );
      if (present === undefined)
        await runner.query(
          `CREATE INDEX \`${name}\` ON \`calls\` (${columns.map((column) => `\`${column}\``).join(', ')})`,
        );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of indexes) await runner.query(`DROP INDEX \`${name}\` ON \`calls\``);
    for (const [table, column] of marks)
      await runner.query(`ALTER TABLE \`${table}\` DROP COLUMN \`${column}\``);
    await runner.query('DROP TABLE `retention_policies`');
  }
}

const marks = [
  ['calls', 'transcript_erased_at'],
  ['calls', 'variables_erased_at'],
  ['deliveries', 'erased_at'],
] as const;

/** What is past its age is looked for by organization, oldest first, among calls from which nothing was removed. */
const indexes = [
  ['ix_calls_transcript_age', ['organization_id', 'transcript_erased_at', 'ended_at']],
  ['ix_calls_variables_age', ['organization_id', 'variables_erased_at', 'ended_at']],
] as const;

const policies = `
  CREATE TABLE IF NOT EXISTS "retention_policies" (
    "organization_id" bigint UNSIGNED NOT NULL,
    "transcript_days" int UNSIGNED NULL,
    "recording_days" int UNSIGNED NULL,
    "variable_days" int UNSIGNED NULL,
    "updated_at" datetime(6) NOT NULL,
    "applied_at" datetime(6) NULL,
    PRIMARY KEY ("organization_id"),
    CONSTRAINT "fk_retention_policies_organization" FOREIGN KEY ("organization_id") REFERENCES "organizations"("id") ON DELETE NO ACTION ON UPDATE NO ACTION
  ) ENGINE=InnoDB
`;
