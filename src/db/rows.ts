import type { EntityManager, EntitySchema, FindOptionsWhere, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';

/** Inserts a row and answers it with the id it got. */
export async function insertRow<Row extends ObjectLiteral & { id: number }, New extends Omit<Row, 'id'>>(manager: EntityManager, table: EntitySchema<Row>, row: New): Promise<New & { id: number }> {
  const inserted = await manager.getRepository(table).insert(columns<Row>(row));
  return { ...row, id: Number(inserted.identifiers[0]?.['id']) };
}

/** Changes the rows that `where` names and answers how many there were. */
export async function updateRows<Row extends ObjectLiteral & { organizationId: number }>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  { where, change }: { where: FindOptionsWhere<Row> & { organizationId: number }; change: Partial<Row> },
): Promise<number> {
  const updated = await manager.getRepository(table).update(where, columns<Row>(change));
  return updated.affected ?? 0;
}

/** TypeORM takes a JSON document for a nested entity and refuses `unknown` inside it; the columns are exactly what is given here. */
export function columns<Row>(values: object): QueryDeepPartialEntity<Row> {
  return values;
}
