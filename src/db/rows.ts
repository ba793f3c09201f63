import type { EntityManager, EntitySchema, FindOptionsWhere, ObjectLiteral, QueryDeepPartialEntity } from 'typeorm';

/**
 * Inserts a row and answers it with the id it got. TypeORM's own parameter type takes documents apart and refuses `unknown`
 * inside them, hence the two casts of this file.
 */
export async function insertRow<Row extends ObjectLiteral & { id: number }>(manager: EntityManager, table: EntitySchema<Row>, row: Omit<Row, 'id'>): Promise<Row> {
  const inserted = await manager.getRepository(table).insert(asTypeOrmRow<Row>(row));
  return { ...row, id: Number(inserted.identifiers[0]?.['id']) } as Row;
}

/** Changes the rows that `where` names and answers how many there were. */
export async function updateRows<Row extends ObjectLiteral & { organizationId: number }>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  { where, change }: { where: FindOptionsWhere<Row> & { organizationId: number }; change: Partial<Row> },
): Promise<number> {
  const updated = await manager.getRepository(table).update(where, asTypeOrmRow<Row>(change));
  return updated.affected ?? 0;
}

function asTypeOrmRow<Row>(row: object): QueryDeepPartialEntity<Row> {
  return row as QueryDeepPartialEntity<Row>;
}

