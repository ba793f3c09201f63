import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Calls that ended lately, in all organizations, are looked through every few minutes. */
export class CallsEnded1763717400000 implements MigrationInterface {
  name = 'CallsEnded1763717400000';

  async up(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable('calls');
    if (table?.indices.some(({ name }) => name === 'ix_calls_ended') === true) return;
    await runner.query('CREATE INDEX `ix_calls_ended` ON `calls` (`state`, `ended_at`)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX `ix_calls_ended` ON `calls`');
  }
}
