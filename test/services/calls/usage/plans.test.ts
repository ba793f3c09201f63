import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAgent } from '../../../../src/services/agents/index.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import {
  listCalls,
  reportCalls,
  getCurrentUsage,
  getCallReport,
  getDailyReport,
  getDailyUsage,
  listDailyRuns,
  listUsageRuns,
  reportUsageRuns,
} from '../../../../src/services/calls/index.ts';
import { threeStepDefinition } from '../../../support/definitions.ts';
import {
  createTestClock,
  createTestContext,
  createTestDatabase,
  bothDatabases,
  type TestDatabase,
} from '../../../support/database.ts';
import { recordQueries } from '../../../support/recorded-queries.ts';

const publicUrl = 'http://api.example.test';
const rowsOfEach = 50_000;

/** A row of EXPLAIN. */
interface Plan {
  /** The alias of the table; `<derived2>` for the rows of a query inside. */
  table: string | null;
  key: string | null;
  rows: number | string;
  Extra: string | null;
}

/** How a database server reads the calls of a query. */
interface Access {
  key: string | null;
  rows: number;
  extra: string;
}

describe.each(bothDatabases)('how %s reads 100,000 calls of two organizations', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let agentId: number;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    for (const _ of [1, 2]) {
      ctx = await createTestContext(database.db, { clock: createTestClock('2026-11-21T10:00:00.000Z') });
      const agent = await createAgent({
        ctx,
        input: { name: 'Order desk', definition: threeStepDefinition() },
      });
      agentId = agent.id;
      await insertMany(Number(agent.current_definition_id));
    }
    await database.db.query('ANALYZE TABLE calls');
  });
  afterAll(async () => await database.drop());

  /** Calls over half a year, one every five minutes. */
  const insertMany = async (versionId: number) => {
    const digits = (name: string) =>
      `(SELECT 0 n UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9) ${name}`;
    const number = 'a.n + 10 * b.n + 100 * c.n + 1000 * d.n + 10000 * e.n';
    await database.db.query(`
      INSERT INTO calls (uuid, organization_id, agent_id, version_id, name, mode, channel, direction, source, state, is_test, initial_context, gathered_context, usage_info, logs, annotations, disposition, tags, transcript_available, created_at, started_at, ended_at, duration_seconds, cost_usd)
      SELECT UUID(), ${ctx.organizationId}, ${agentId}, ${versionId}, 'WR-TEXT-0A1B2C', 'textchat', 'text', 'inbound', 'editor', 'ended', 1, '{}', '{}', '{}', '{}', '{}', 'user_hangup', '[]', 0, at, at, at + INTERVAL 42 SECOND, 42, 0.00123
      FROM (SELECT TIMESTAMP'2026-11-21 09:59:00' - INTERVAL (5 * (${number})) MINUTE AS at FROM ${digits('a')}, ${digits('b')}, ${digits('c')}, ${digits('d')}, ${digits('e')} WHERE ${number} < ${rowsOfEach}) moments
    `);
  };

  /** The plans of all queries over calls that `work` makes. */
  const plansOf = async (work: () => Promise<unknown>): Promise<Access[]> => {
    const queries = await recordQueries(database.db, work);
    const overCalls = queries.filter(({ sql }) => sql.startsWith('SELECT') && sql.includes('`calls`'));
    expect(overCalls.length).toBeGreaterThan(0);
    const plans = await Promise.all(
      overCalls.map(
        async ({ sql, parameters }) => await database.db.query<Plan[]>(`${explain} ${sql}`, parameters),
      ),
    );
    return plans
      .flat()
      .filter(({ table }) => table?.startsWith('<') !== true)
      .map((row) => ({ key: row.key, rows: Number(row.rows), extra: String(row.Extra) }));
  };
  const explain = kind === 'mysql' ? 'EXPLAIN FORMAT=TRADITIONAL' : 'EXPLAIN';
  const listed = { page: 1, limit: 50, sortBy: 'created_at', sortOrder: 'desc' } as const;
  const ofDay = { date: '2026-11-20', zone: 'Europe/Berlin' };
  const drain = async (pieces: AsyncIterable<string> | Promise<AsyncIterable<string>>) => {
    for await (const _ of await pieces);
  };

  test('reads the newest calls in the order of the index, and sums their usage from the index alone', async () => {
    const [sums, page] = await plansOf(() => listUsageRuns({ ctx, publicUrl, input: listed }));
    expect(sums).toMatchObject({ key: 'ix_calls_usage', extra: expect.stringContaining('Using index') });
    expect(page).toMatchObject({ key: 'ix_calls_usage' });
    expect(page?.extra).not.toContain('filesort');
  });

  test.each<[string, () => Promise<unknown>]>([
    ['this month', () => getCurrentUsage({ ctx })],
    ['the last thirty days', () => getDailyUsage({ ctx, input: { days: 30 } })],
  ])('%s is summed from a range of the index alone', async (_title, work) => {
    for (const access of await plansOf(work)) {
      expect(access).toMatchObject({ key: 'ix_calls_usage', extra: expect.stringContaining('Using index') });
      expect(access.rows).toBeLessThan(rowsOfEach / 2);
    }
  });

  // guarantee: reports-read-only-their-calls
  test.each<[string, string, () => Promise<unknown>]>([
    ["a day's report", 'ix_calls_usage', () => getDailyReport({ ctx, input: ofDay })],
    ["a day's calls", 'ix_calls_usage', () => drain(listDailyRuns({ ctx, publicUrl, input: ofDay }))],
    [
      "a day's CSV",
      'ix_calls_usage',
      () =>
        drain(
          reportUsageRuns({
            ctx,
            publicUrl,
            input: { from: new Date('2026-11-20T00:00:00Z'), until: new Date('2026-11-21T00:00:00Z') },
          }),
        ),
    ],
    [
      "a day's list",
      'ix_calls_usage',
      () =>
        listUsageRuns({
          ctx,
          publicUrl,
          input: {
            ...listed,
            sortBy: 'duration',
            from: new Date('2026-11-20T00:00:00Z'),
            until: new Date('2026-11-21T00:00:00Z'),
          },
        }),
    ],
    [
      'a report on several days',
      'ix_calls_usage',
      () =>
        getCallReport({
          ctx,
          input: { from: '2026-11-18', to: '2026-11-20', zone: 'Europe/Berlin', groupBy: 'agent' },
        }),
    ],
    [
      "a day's report of one agent",
      'ix_calls_agent',
      () => getDailyReport({ ctx, input: { ...ofDay, agentId } }),
    ],
    [
      "a day's CSV of one agent",
      'ix_calls_agent',
      () =>
        drain(
          reportCalls({
            ctx,
            publicUrl,
            input: {
              agentId,
              from: new Date('2026-11-20T00:00:00Z'),
              until: new Date('2026-11-21T00:00:00Z'),
            },
          }),
        ),
    ],
  ])("%s reads only that day's calls, by %s", async (_title, key, work) => {
    for (const access of await plansOf(work)) {
      expect(access.key).toBe(key);
      expect(access.rows).toBeLessThan(1000);
    }
  });

  test('reads each batch of a report from the end of the last one, in the order of the index', async () => {
    const plans = await plansOf(() =>
      drain(reportUsageRuns({ ctx, publicUrl, input: { from: new Date('2026-11-17T00:00:00Z') } })),
    );
    const batches = plans.slice(1);
    expect(batches.length).toBeGreaterThan(2);
    for (const { key, extra, rows } of batches) {
      expect(key).toBe('ix_calls_usage');
      expect(extra).not.toContain('filesort');
      expect(rows).toBeLessThan(5000);
    }
  });

  test("reads an agent's newest calls in the order of its index", async () => {
    for (const { key, extra } of await plansOf(() =>
      listCalls({ ctx, publicUrl, input: { ...listed, agentId, filters: [] } }),
    )) {
      expect(key).toMatch(/^ix_calls_(agent|usage)$/);
      expect(extra).not.toContain('filesort');
    }
  });
});
