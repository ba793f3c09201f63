import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whoever looks for imports that nothing makes reads the directories that wait for one, and no other. */
export class DirectoriesState1763719200000 implements MigrationInterface {
  name = 'DirectoriesState1763719200000';

  async up(runner: QueryRunner): Promise<void> {
    // A process that died between the index and the record of this migration left the index behind.
    const [present]: unknown[] = await runner.query(
      "SELECT 1 FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 'directories' AND index_name = 'ix_directories_state' LIMIT 1",
    );
    if (present === undefined)
      await runner.query('CREATE INDEX `ix_directories_state` ON `directories` (`state`)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX `ix_directories_state` ON `directories`');
  }
}
