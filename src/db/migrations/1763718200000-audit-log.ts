import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the audit log shows beside ids: the system's name, what the API calls the object, before and after. One statement: it is there or not. */
export class AuditLog1763718200000 implements MigrationInterface {
  name = 'AuditLog1763718200000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('audit_events', 'diff'))) await runner.query(columns);
    await runner.query(
      'UPDATE `audit_events` SET `subject_key` = `subject_id` WHERE `subject_key` IS NULL AND `subject_id` IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE `audit_events` ADD INDEX `ix_audit_events_subject` (`organization_id`, `subject_kind`, `subject_id`), DROP INDEX `ix_audit_events_object`, DROP INDEX `ix_audit_events_actor`, DROP INDEX `ix_audit_events_created`, DROP COLUMN `actor_name`, DROP COLUMN `subject_key`, DROP COLUMN `diff`',
    );
  }
}

const columns = `
  ALTER TABLE \`audit_events\`
    ADD COLUMN \`actor_name\` varchar(64) CHARACTER SET \`ascii\` COLLATE \`ascii_bin\` NULL,
    ADD COLUMN \`subject_key\` varchar(64) CHARACTER SET \`ascii\` COLLATE \`ascii_bin\` NULL,
    ADD COLUMN \`diff\` longtext CHARACTER SET \`utf8mb4\` COLLATE \`utf8mb4_bin\` NULL,
    ADD INDEX \`ix_audit_events_object\` (\`organization_id\`, \`subject_kind\`, \`subject_key\`),
    ADD INDEX \`ix_audit_events_actor\` (\`organization_id\`, \`actor_kind\`, \`actor_id\`),
    ADD INDEX \`ix_audit_events_created\` (\`organization_id\`, \`created_at\`),
    DROP INDEX \`ix_audit_events_subject\`
`;
