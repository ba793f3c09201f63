import type { MeasuredService } from './service.ts';

/**
 * Number of statements that MySQL has run in the service's database; NaN where the server does not count
 * (MariaDB by default).
 */
export async function statementsOf({ db }: Pick<MeasuredService, 'db'>): Promise<number> {
  const [row]: { count: string | null }[] = await db.query(
    'SELECT SUM(COUNT_STAR) AS count FROM performance_schema.events_statements_summary_by_digest WHERE SCHEMA_NAME = DATABASE()',
  );
  return Number(row?.count ?? Number.NaN);
}
