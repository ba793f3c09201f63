import { WorkflowNotFoundError } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import type { TemporalClient } from '../../src/temporal/connection.ts';

/**
 * Every text column of every table that contains one of the marks, as `table.column`. The columns are read
 * from the database itself.
 */
export async function scanTables(db: DataSource, marks: readonly string[]): Promise<string[]> {
  const columns: { t: string; c: string }[] = await db.query(
    "SELECT table_name AS t, column_name AS c FROM information_schema.columns WHERE table_schema = DATABASE() AND data_type IN ('char','varchar','tinytext','text','mediumtext','longtext','json','enum','set','binary','varbinary','tinyblob','blob','mediumblob','longblob') ORDER BY table_name, column_name",
  );
  if (columns.length < 50)
    throw new Error(`only ${columns.length} columns can hold a text: the scan does not see the schema`);
  const found: string[] = [];
  for (const { t, c } of columns) {
    const holds = marks.map(() => `INSTR(CONVERT(\`${c}\` USING utf8mb4), ?) > 0`).join(' OR ');
    const [row]: { n: unknown }[] = await db.query(`SELECT COUNT(*) AS n FROM \`${t}\` WHERE ${holds}`, [
      ...marks,
    ]);
    if (Number(row?.n) > 0) found.push(`${t}.${c}`);
  }
  return found.toSorted();
}

/**
 * Workflow Ids of an organization's executions whose histories contain one of the marks, in any payload of
 * any Run.
 */
export async function scanHistories(
  { client }: TemporalClient,
  organizationUuid: string,
  marks: readonly string[],
): Promise<string[]> {
  const found = new Set<string>();
  for await (const { workflowId, runId } of client.workflow.list({
    query: `OrgId = '${organizationUuid}'`,
  })) {
    const history: unknown = await client.workflow
      .getHandle(workflowId, runId)
      .fetchHistory()
      .catch(nothingLeft);
    if (textsIn(history).some((text) => marks.some((mark) => text.includes(mark)))) found.add(workflowId);
  }
  return [...found].toSorted();
}

/** Listed, but already deleted. */
function nothingLeft(error: unknown): null {
  if (error instanceof WorkflowNotFoundError) return null;
  throw error;
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value instanceof Uint8Array) return [Buffer.from(value).toString('utf8')];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((each) => textsIn(each));
}
