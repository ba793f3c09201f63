import type {
  EntityManager,
  EntityMetadata,
  EntitySchema,
  FindOptionsWhere,
  ObjectLiteral,
  QueryDeepPartialEntity,
} from 'typeorm';
import { InvariantError } from '../domain/errors.ts';

/**
 * The plain statements that every request makes: one row in, one row changed, one row by equal columns. Their
 * SQL is made from TypeORM's metadata once for each set of columns, and its driver turns the values; its
 * query builders make the same text anew for every statement, which was a fifth of the processor time of a
 * GET (docs/benchmarks.md).
 */
type Scalar = string | number | boolean;

/** Columns that a row is looked for by, each equal to a value. */
export type EqualTo<Row> = { readonly [Name in keyof Row]?: Row[Name] & Scalar };

/** Inserts a row and answers it with the id it got. */
export async function insertRow<Row extends ObjectLiteral & { id: number }, New extends Omit<Row, 'id'>>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  row: New,
): Promise<New & { id: number }> {
  const metadata = metadataOf(manager, table);
  const names = given(row);
  const sql = prepared(
    metadata,
    `insert ${names.join()}`,
    () =>
      `INSERT INTO ${tableOf(metadata)} (${names.map((name) => columnOf(metadata, name)).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  const { insertId }: { insertId: number } = await manager.query(sql, persisted(metadata, names, row));
  return { ...row, id: insertId };
}

/** Changes the rows that `where` names and answers how many there were. */
export async function updateRows<Row extends ObjectLiteral & { organizationId: number }>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  { where, change }: { where: FindOptionsWhere<Row> & { organizationId: number }; change: Partial<Row> },
): Promise<number> {
  const [changed, named] = [given(change), Object.keys(where)];
  if (changed.length === 0 || !Object.values(where).every(isScalar))
    return (await manager.getRepository(table).update(where, columns<Row>(change))).affected ?? 0;
  const metadata = metadataOf(manager, table);
  const sql = prepared(
    metadata,
    `update ${changed.join()} ${named.join()}`,
    () =>
      `UPDATE ${tableOf(metadata)} SET ${changed.map((name) => `${columnOf(metadata, name)} = ?`).join(', ')} WHERE ${equalities(metadata, named)}`,
  );
  const { affectedRows }: { affectedRows: number } = await manager.query(sql, [
    ...persisted(metadata, changed, change),
    ...persisted(metadata, named, where),
  ]);
  return affectedRows;
}

/** The row whose columns have these values, or null; `isLocked` holds it until the transaction ends. */
export async function findRow<Row extends ObjectLiteral>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  where: EqualTo<Row>,
  { isLocked = false } = {},
): Promise<Row | null> {
  const [row] = await select(manager, table, { where, tail: isLocked ? ' LIMIT 1 FOR UPDATE' : ' LIMIT 1' });
  return row ?? null;
}

/** Every row whose columns have these values, in no order. */
export async function findRows<Row extends ObjectLiteral>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  where: EqualTo<Row>,
): Promise<Row[]> {
  return await select(manager, table, { where, tail: '' });
}

async function select<Row extends ObjectLiteral>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  { where, tail }: { where: EqualTo<Row>; tail: string },
): Promise<Row[]> {
  const metadata = metadataOf(manager, table);
  const named = scalarNames(where);
  const sql = prepared(
    metadata,
    `select ${named.join()}${tail}`,
    () =>
      `SELECT ${metadata.columns.map(({ propertyName }) => columnOf(metadata, propertyName)).join(', ')} FROM ${tableOf(metadata)} WHERE ${equalities(metadata, named)}${tail}`,
  );
  const found: Record<string, unknown>[] = await manager.query(sql, persisted(metadata, named, where));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the metadata is that of the schema whose rows these are
  return found.map((each) => hydrated(metadata, each) as Row);
}

/** The same of a row that is known to be there. Throws InvariantError when it is not. */
export async function getRow<Row extends ObjectLiteral>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  where: EqualTo<Row>,
  options: { isLocked?: boolean } = {},
): Promise<Row> {
  const row = await findRow(manager, table, where, options);
  if (row === null)
    throw new InvariantError(`A row of ${metadataOf(manager, table).tableName} that must be there is not`);
  return row;
}

/** How many rows have these values. */
export async function countRows<Row extends ObjectLiteral>(
  manager: EntityManager,
  table: EntitySchema<Row>,
  where: EqualTo<Row>,
): Promise<number> {
  const metadata = metadataOf(manager, table);
  const named = scalarNames(where);
  const sql = prepared(
    metadata,
    `count ${named.join()}`,
    () => `SELECT COUNT(*) AS count FROM ${tableOf(metadata)} WHERE ${equalities(metadata, named)}`,
  );
  const [row]: { count: number | string }[] = await manager.query(sql, persisted(metadata, named, where));
  return Number(row?.count ?? 0);
}

/**
 * TypeORM takes a JSON document for a nested entity and refuses `unknown` inside it; the columns are exactly
 * what is given here.
 */
export function columns<Row>(values: object): QueryDeepPartialEntity<Row> {
  return values;
}

const statements = new WeakMap<EntityMetadata, Map<string, string>>();

/**
 * The text of a statement, made the first time it is needed. There are as many as the source has calls with
 * other columns.
 */
function prepared(metadata: EntityMetadata, what: string, make: () => string): string {
  const known = statements.get(metadata) ?? new Map<string, string>();
  statements.set(metadata, known);
  const text = known.get(what) ?? make();
  known.set(what, text);
  return text;
}

const metadataOf = <Row extends ObjectLiteral>(
  manager: EntityManager,
  table: EntitySchema<Row>,
): EntityMetadata => manager.dataSource.getMetadata(table);

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

/** A condition that is left out would name the rows of everybody. */
function scalarNames(where: object): string[] {
  if (!Object.values(where).every(isScalar))
    throw new InvariantError('Rows were looked for by a column without a value');
  return Object.keys(where);
}

const given = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));

const tableOf = ({ dataSource, tablePath }: EntityMetadata): string => dataSource.driver.escape(tablePath);

function columnOf(metadata: EntityMetadata, name: string): string {
  return metadata.dataSource.driver.escape(columnNamed(metadata, name).databaseName);
}

function columnNamed(metadata: EntityMetadata, name: string) {
  const column = metadata.findColumnWithPropertyName(name);
  if (column === undefined) throw new InvariantError(`${metadata.tableName} has no column for ${name}`);
  return column;
}

const equalities = (metadata: EntityMetadata, names: readonly string[]): string =>
  names.map((name) => `${columnOf(metadata, name)} = ?`).join(' AND ');

function persisted(metadata: EntityMetadata, names: readonly string[], values: object): unknown[] {
  const { driver } = metadata.dataSource;
  return names.map((name) =>
    driver.preparePersistentValue(Reflect.get(values, name), columnNamed(metadata, name)),
  );
}

function hydrated(metadata: EntityMetadata, found: Record<string, unknown>): Record<string, unknown> {
  const { driver } = metadata.dataSource;
  const row: Record<string, unknown> = {};
  for (const column of metadata.columns)
    row[column.propertyName] = driver.prepareHydratedValue(found[column.databaseName], column);
  return row;
}
