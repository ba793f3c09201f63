import type { DataSource, Logger } from 'typeorm';

export interface RecordedQuery {
  sql: string;
  parameters: unknown[];
}

/** The queries of some work, in order. */
export async function recordQueries(db: DataSource, work: () => Promise<unknown>): Promise<RecordedQuery[]> {
  const queries: RecordedQuery[] = [];
  const before: Logger = db.logger;
  const logQuery: Logger['logQuery'] = (sql, parameters) =>
    void queries.push({ sql, parameters: Array.isArray(parameters) ? parameters : [] });
  db.logger = {
    logQuery,
    logQueryError() {},
    logQuerySlow() {},
    logSchemaBuild() {},
    logMigration() {},
    log() {},
  };
  try {
    await work();
  } finally {
    db.logger = before;
  }
  return queries;
}
