import { queryRows } from '../../../db/rows.ts';
import type { CallRow } from '../../../db/tables/calls.ts';
import type { ServiceContext } from '../../kernel/index.ts';

/** As `Line.wasInterrupted` is stored. In what people say, the quotation marks are escaped. */
const mark = '%"wasInterrupted":true%';

/** Ids of the calls in which a line of the agent was interrupted. Nobody interrupts a text. */
export async function interruptedCalls(
  { db, organizationId }: Pick<ServiceContext, 'db' | 'organizationId'>,
  calls: readonly Pick<CallRow, 'id' | 'channel'>[],
): Promise<ReadonlySet<number>> {
  const spoken = calls.filter(({ channel }) => channel !== 'text').map(({ id }) => id);
  if (spoken.length === 0) return new Set();
  const rows: { id: string | number }[] = await queryRows(db, {
    organizationId,
    sql: `SELECT DISTINCT call_id AS id FROM turns WHERE organization_id = ? AND call_id IN (${spoken.map(() => '?').join(', ')}) AND \`lines\` LIKE ?`,
    values: [organizationId, ...spoken, mark],
  });
  return new Set(rows.map(({ id }) => Number(id)));
}
