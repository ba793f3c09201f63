import type { MigrationInterface, QueryRunner } from 'typeorm';
import { accounts } from './0.1.0-initial/accounts.ts';
import { agents } from './0.1.0-initial/agents.ts';
import { calls } from './0.1.0-initial/calls.ts';
import { campaigns } from './0.1.0-initial/campaigns.ts';
import { deliveries } from './0.1.0-initial/deliveries.ts';
import { dialing } from './0.1.0-initial/dialing.ts';
import { telephony } from './0.1.0-initial/telephony.ts';

/** In the order of the references between them. */
const statements = [...accounts, ...agents, ...telephony, ...campaigns, ...calls, ...dialing, ...deliveries];

/** The schema of 0.1.0. After a crash in the middle of it, the next attempt skips the tables that exist. */
export class Initial1763700000000 implements MigrationInterface {
  name = 'Initial1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of statements) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of statements.toReversed()) {
      const table = /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(statement)?.[1];
      await runner.query(`DROP TABLE IF EXISTS ${table}`);
    }
  }
}
