import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Recordings of an organization are looked through by their age every day. */
export class RecordingAge1763718800000 implements MigrationInterface {
  name = 'RecordingAge1763718800000';

  async up(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable('calls');
    if (table?.indices.some(({ name }) => name === 'ix_calls_recorded') === true) return;
    await runner.query('CREATE INDEX `ix_calls_recorded` ON `calls` (`organization_id`, `recorded_at`)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX `ix_calls_recorded` ON `calls`');
  }
}
