import {
  DataSource,
  type EntityManager,
  type EntityMetadata,
  type EntitySchema,
  type FindManyOptions,
  type FindOperator,
  type FindOptionsWhere,
  type ObjectLiteral,
  type QueryDeepPartialEntity,
  type SelectQueryBuilder,
} from 'typeorm';
import { InvariantError } from '../domain/errors.ts';
import { writing } from './transaction.ts';

/**
 * Reads and writes rows. A statement selects rows by columns. For a table with an `organizationId` it must
 * name one organization: a call without it does not compile. A statement for every organization says so with
 * `acrossOrganizations`.
 *
 * The SQL of plain statements (each column equal to a value) is built from TypeORM's metadata once for each
 * set of columns, and TypeORM's driver converts the values. TypeORM's query builders build the text for every
 * statement again, which was a fifth of the processor time of a GET (docs/benchmarks.md). Conditions with
 * operators (`In`, `IsNull`, `LessThan`) go through TypeORM.
 */
type Scalar = string | number | boolean;

/** The database, or a transaction in it. */
export type Db = DataSource | EntityManager;

/** The database for statements that are not narrowed to one organization. */
export class AcrossOrganizations {
  readonly everyOrganization: EntityManager;

  constructor(db: Db) {
    this.everyOrganization = managerOf(db);
  }
}

/** Lets a statement read or change rows of every organization. `_reason` tells the reader why it must. */
export const acrossOrganizations = (db: Db, _reason: string): AcrossOrganizations =>
  new AcrossOrganizations(db);

type Condition<Value> =
  | (Value & (Scalar | Date))
  | (Value extends string ? FindOperator<string> : FindOperator<NonNullable<Value>>);

/** Columns that name rows: each equal to a value or under an operator of TypeORM. */
export type Where<Row> = { readonly [Name in keyof Row]?: Condition<Row[Name]> };

/** Names rows of a table, within one organization if its rows have one. */
export type WhereIn<Row, From> = Row extends { organizationId: number }
  ? From extends AcrossOrganizations
    ? Where<Row>
    : Where<Row> & { readonly organizationId: number }
  : Where<Row>;

interface OneOptions<Row, Name extends keyof Row> {
  /** The columns to read; all when it is absent. */
  select?: readonly Name[];
  order?: { readonly [Column in keyof Row]?: 'ASC' | 'DESC' };
  /**
   * Locks the rows until the transaction ends (FOR UPDATE). `skip_locked` leaves out rows that another
   * transaction has locked.
   */
  isLocked?: boolean | 'skip_locked';
}

interface ManyOptions<Row, Name extends keyof Row> extends OneOptions<Row, Name> {
  take?: number;
  skip?: number;
}

/** The columns of a new row; the database assigns the id. */
type New<Row> = Omit<Row, 'id'>;

/** Inserts a row and answers it with its id. */
export async function insertRow<Row extends ObjectLiteral & { id: number }, Given extends New<Row>>(
  db: Db,
  table: EntitySchema<Row>,
  row: Given,
): Promise<Given & { id: number }> {
  const insertId = await insert(db, table, [row]);
  return { ...row, id: insertId };
}

/** Inserts rows with the same columns in one statement. */
export async function insertRows<Row extends ObjectLiteral>(
  db: Db,
  table: EntitySchema<Row>,
  rows: readonly New<Row>[],
): Promise<void> {
  if (rows.length > 0) await insert(db, table, rows);
}

/** Inserts rows, and updates those whose key exists: the columns `changed`, or all given ones. */
export async function upsertRows<Row extends ObjectLiteral>(
  db: Db,
  table: EntitySchema<Row>,
  rows: readonly New<Row>[],
  changed: readonly (keyof Row & string)[] = given(rows[0] ?? {}),
): Promise<void> {
  const { metadata } = at(db, table);
  const changes = changed.map((name) => columnOf(metadata, name)).map((name) => `${name} = VALUES(${name})`);
  if (rows.length > 0) await insert(db, table, rows, ` ON DUPLICATE KEY UPDATE ${changes.join(', ')}`);
}

async function insert<Row extends ObjectLiteral>(
  db: Db,
  table: EntitySchema<Row>,
  rows: readonly object[],
  tail = '',
): Promise<number> {
  const { manager, metadata } = at(db, table);
  const names = given(rows[0] ?? {});
  const head = prepared(
    metadata,
    `insert ${names.join()}`,
    () =>
      `INSERT INTO ${tableOf(metadata)} (${names.map((name) => columnOf(metadata, name)).join(', ')}) VALUES `,
  );
  const places = `(${names.map(() => '?').join(', ')})`;
  const sql = `${head}${rows.map(() => places).join(', ')}${tail}`;
  const values = rows.flatMap((row) => persisted(metadata, names, row));
  const { insertId } = await writing<{ insertId: number }>(manager, () => manager.query(sql, values));
  return insertId;
}

/** Changes the rows that `where` names and answers how many there were. */
export async function updateRows<Row extends ObjectLiteral, From extends Db | AcrossOrganizations>(
  db: From,
  table: EntitySchema<Row>,
  { where, change }: { where: WhereIn<Row, From>; change: Partial<Row> },
): Promise<number> {
  const { manager, metadata } = at(db, table);
  const [changed, named] = [given(change), Object.keys(where)];
  if (changed.length === 0 || !isPlain(where)) {
    const repository = manager.getRepository(table);
    const { affected } = await writing(manager, () =>
      repository.update(conditions(where), columns<Row>(change)),
    );
    return affected ?? 0;
  }
  const sql = prepared(
    metadata,
    `update ${changed.join()} ${named.join()}`,
    () =>
      `UPDATE ${tableOf(metadata)} SET ${changed.map((name) => `${columnOf(metadata, name)} = ?`).join(', ')} WHERE ${equalities(metadata, named)}`,
  );
  const values = [...persisted(metadata, changed, change), ...persisted(metadata, named, where)];
  const { affectedRows } = await writing<{ affectedRows: number }>(manager, () => manager.query(sql, values));
  return affectedRows;
}

/** Deletes the rows that `where` names and answers how many there were. */
export async function deleteRows<Row extends ObjectLiteral, From extends Db | AcrossOrganizations>(
  db: From,
  table: EntitySchema<Row>,
  where: WhereIn<Row, From>,
): Promise<number> {
  const { manager, metadata } = at(db, table);
  if (!isPlain(where)) {
    const { affected } = await writing(manager, () => manager.getRepository(table).delete(conditions(where)));
    return affected ?? 0;
  }
  const named = Object.keys(where);
  const sql = prepared(
    metadata,
    `delete ${named.join()}`,
    () => `DELETE FROM ${tableOf(metadata)} WHERE ${equalities(metadata, named)}`,
  );
  const values = persisted(metadata, named, where);
  const { affectedRows } = await writing<{ affectedRows: number }>(manager, () => manager.query(sql, values));
  return affectedRows;
}

/** The row that `where` names, or null. Of several, the first in `order`. */
export async function findRow<
  Row extends ObjectLiteral,
  From extends Db | AcrossOrganizations,
  Name extends keyof Row = keyof Row,
>(
  db: From,
  table: EntitySchema<Row>,
  where: WhereIn<Row, From>,
  options: OneOptions<Row, Name> = {},
): Promise<Pick<Row, Name> | null> {
  const [row] = await select(db, table, { where, options: { ...options, take: 1 } });
  return row ?? null;
}

/** Like `findRow`, for a row that must exist. Throws InvariantError if it does not. */
export async function getRow<
  Row extends ObjectLiteral,
  From extends Db | AcrossOrganizations,
  Name extends keyof Row = keyof Row,
>(
  db: From,
  table: EntitySchema<Row>,
  where: WhereIn<Row, From>,
  options: OneOptions<Row, Name> = {},
): Promise<Pick<Row, Name>> {
  const row = await findRow(db, table, where, options);
  if (row === null) throw new InvariantError(`A row of ${at(db, table).metadata.tableName} is missing`);
  return row;
}

/** Every row that `where` names (any of several conditions), in `order` if it is given. */
export async function findRows<
  Row extends ObjectLiteral,
  From extends Db | AcrossOrganizations,
  Name extends keyof Row = keyof Row,
>(
  db: From,
  table: EntitySchema<Row>,
  where: WhereIn<Row, From> | readonly WhereIn<Row, From>[],
  options: ManyOptions<Row, Name> = {},
): Promise<Pick<Row, Name>[]> {
  return await select(db, table, { where, options });
}

async function select<Row extends ObjectLiteral, Name extends keyof Row>(
  db: Db | AcrossOrganizations,
  table: EntitySchema<Row>,
  { where, options }: { where: object; options: ManyOptions<Row, Name> },
): Promise<Pick<Row, Name>[]> {
  const { manager, metadata } = at(db, table);
  if (!isPlain(where)) return await manager.getRepository(table).find(findOptions<Row>({ where, options }));
  const named = Object.keys(where);
  const names = options.select?.map(String) ?? known(metadata).names;
  const { order = {}, take, skip, isLocked = false } = options;
  const tail = [
    ...Object.entries(order).map(
      ([name, way], index) =>
        `${index === 0 ? ' ORDER BY' : ','} ${columnOf(metadata, name)} ${way === 'DESC' ? way : 'ASC'}`,
    ),
    ...(take === undefined ? [] : [' LIMIT ?']),
    ...(skip === undefined ? [] : [' OFFSET ?']),
    ...(isLocked === false ? [] : [isLocked === 'skip_locked' ? ' FOR UPDATE SKIP LOCKED' : ' FOR UPDATE']),
  ].join('');
  const sql = prepared(
    metadata,
    `select ${options.select?.join() ?? '*'} ${named.join()}${tail}`,
    () =>
      `SELECT ${names.map((name) => columnOf(metadata, name)).join(', ')} FROM ${tableOf(metadata)}${named.length === 0 ? '' : ` WHERE ${equalities(metadata, named)}`}${tail}`,
  );
  const found: Record<string, unknown>[] = await manager.query(sql, [
    ...persisted(metadata, named, where),
    ...[take, skip].filter((each) => each !== undefined),
  ]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the metadata is that of the schema whose rows these are
  return found.map((each) => hydrated(metadata, names, each) as Row);
}

function findOptions<Row extends ObjectLiteral>({
  where,
  options: { select: names, isLocked = false, ...rest },
}: {
  where: object;
  options: ManyOptions<Row, keyof Row>;
}): FindManyOptions<Row> {
  const options: object = {
    ...rest,
    where,
    ...(names === undefined ? {} : { select: Object.fromEntries(names.map((name) => [name, true])) }),
    ...(isLocked === false
      ? {}
      : {
          lock: { mode: 'pessimistic_write', ...(isLocked === 'skip_locked' ? { onLocked: isLocked } : {}) },
        }),
  };
  return options;
}

/** How many rows `where` names (any of several conditions). */
export async function countRows<Row extends ObjectLiteral, From extends Db | AcrossOrganizations>(
  db: From,
  table: EntitySchema<Row>,
  where: WhereIn<Row, From> | readonly WhereIn<Row, From>[],
): Promise<number> {
  const { manager, metadata } = at(db, table);
  if (!isPlain(where)) return await manager.getRepository(table).countBy(conditions(where));
  const named = Object.keys(where);
  const sql = prepared(
    metadata,
    `count ${named.join()}`,
    () => `SELECT COUNT(*) AS count FROM ${tableOf(metadata)} WHERE ${equalities(metadata, named)}`,
  );
  const [row]: { count: number | string }[] = await manager.query(sql, persisted(metadata, named, where));
  return Number(row?.count ?? 0);
}

/** Whether there is a row that `where` names. */
export async function existsRow<Row extends ObjectLiteral, From extends Db | AcrossOrganizations>(
  db: From,
  table: EntitySchema<Row>,
  where: WhereIn<Row, From>,
): Promise<boolean> {
  const { manager, metadata } = at(db, table);
  if (!isPlain(where)) return await manager.getRepository(table).existsBy(conditions(where));
  const named = Object.keys(where);
  const sql = prepared(
    metadata,
    `exists ${named.join()}`,
    () => `SELECT 1 FROM ${tableOf(metadata)} WHERE ${equalities(metadata, named)} LIMIT 1`,
  );
  const found: unknown[] = await manager.query(sql, persisted(metadata, named, where));
  return found.length > 0;
}

/**
 * A query within one organization. Further conditions are added with `andWhere`; what would replace the
 * organization or join it with OR does not compile.
 */
export interface NarrowedQuery<Row extends ObjectLiteral> extends SelectQueryBuilder<Row> {
  where: never;
  whereExists: never;
  whereInIds: never;
  orWhere: never;
  orWhereExists: never;
  orWhereInIds: never;
}

/**
 * Starts a query that equality conditions cannot express (joins, aggregates, composed filters). It is already
 * narrowed to the organization: add conditions with `andWhere`.
 */
export function selectFrom<Row extends ObjectLiteral>(
  db: Db,
  table: EntitySchema<Row>,
  narrowed: { as: string; organizationId: number },
): NarrowedQuery<Row>;
export function selectFrom<Row extends ObjectLiteral>(
  db: AcrossOrganizations,
  table: EntitySchema<Row>,
  named: { as: string },
): SelectQueryBuilder<Row>;
export function selectFrom<Row extends ObjectLiteral>(
  db: Db | AcrossOrganizations,
  table: EntitySchema<Row>,
  { as, ...narrowed }: { as: string; organizationId?: number },
): SelectQueryBuilder<Row> {
  const query = managerOf(db).getRepository(table).createQueryBuilder(as);
  if (db instanceof AcrossOrganizations) return query;
  return query.where(`${as}.organizationId = :organizationId`, narrowed);
}

/** A statement in SQL. Within an organization, its text compares organization_id with one of its values. */
type Sql<From> = { sql: string; values?: readonly unknown[] } & (From extends AcrossOrganizations
  ? object
  : { organizationId: number });

/** The rows that a statement in SQL finds. For queries that the functions above cannot express. */
export async function queryRows<Found extends object, From extends Db | AcrossOrganizations = Db>(
  db: From,
  statement: Sql<From>,
): Promise<Found[]> {
  return await run(db, statement);
}

/** The columns of a table under an alias, for a statement in SQL, and the row that they make. */
export interface Aliased<Row> {
  columns: string;
  rowOf: (found: Record<string, unknown>) => Row;
}

/** The columns of a table for a statement in SQL that joins it as `as`. */
export function aliased<Row extends ObjectLiteral>(
  db: Db,
  table: EntitySchema<Row>,
  as: string,
): Aliased<Row> {
  const { metadata } = at(db, table);
  const { names } = known(metadata);
  const { driver } = metadata.dataSource;
  return {
    columns: prepared(metadata, `aliased ${as}`, () =>
      names
        .map(
          (name) =>
            `${as}.${columnOf(metadata, name)} AS ${driver.escape(`${as}_${columnNamed(metadata, name).databaseName}`)}`,
        )
        .join(', '),
    ),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the metadata is that of the schema whose row this is
    rowOf: (found) => hydrated(metadata, names, found, `${as}_`) as Row,
  };
}

/** Runs a statement in SQL that changes rows, and answers how many rows it changed. */
export async function changeRows<From extends Db | AcrossOrganizations>(
  db: From,
  statement: Sql<From>,
): Promise<number> {
  const { affectedRows } = await writing<{ affectedRows: number }>(managerOf(db), () => run(db, statement));
  return affectedRows;
}

async function run<Answer>(
  db: Db | AcrossOrganizations,
  { sql, values = [], organizationId }: { sql: string; values?: readonly unknown[]; organizationId?: number },
): Promise<Answer> {
  if (
    !(db instanceof AcrossOrganizations) &&
    !(sql.includes('organization_id') && values.includes(organizationId))
  )
    throw new InvariantError('A statement within an organization does not name the organization');
  return await managerOf(db).query(sql, [...values]);
}

/**
 * TypeORM takes a JSON document for a nested entity and refuses `unknown` inside it; the columns are exactly
 * the given ones.
 */
export function columns<Row>(values: object): QueryDeepPartialEntity<Row> {
  return values;
}

/** What is known of a table's entity, so that no statement asks for it again. */
interface KnownTable {
  columns: ReadonlyMap<string, EntityMetadata['columns'][number]>;
  /** The properties of all columns. */
  names: readonly string[];
  statements: Map<string, string>;
}

const knownTables = new WeakMap<EntityMetadata, KnownTable>();

function known(metadata: EntityMetadata): KnownTable {
  const table = knownTables.get(metadata);
  if (table !== undefined) return table;
  const columns = new Map(metadata.columns.map((column) => [column.propertyName, column]));
  const made = { columns, names: [...columns.keys()], statements: new Map<string, string>() };
  knownTables.set(metadata, made);
  return made;
}

/**
 * The text of a statement, built on first use. There are as many texts as sets of columns in the source code.
 */
function prepared(metadata: EntityMetadata, what: string, make: () => string): string {
  const { statements } = known(metadata);
  const text = statements.get(what) ?? make();
  statements.set(what, text);
  return text;
}

function managerOf(db: Db | AcrossOrganizations): EntityManager {
  if (db instanceof AcrossOrganizations) return db.everyOrganization;
  return db instanceof DataSource ? db.manager : db;
}

function at<Row extends ObjectLiteral>(
  db: Db | AcrossOrganizations,
  table: EntitySchema<Row>,
): { manager: EntityManager; metadata: EntityMetadata } {
  const manager = managerOf(db);
  return { manager, metadata: metadataOf(manager.dataSource, table) };
}

const entities = new WeakMap<DataSource, WeakMap<object, EntityMetadata>>();

/** The same as `dataSource.getMetadata`, which looks through all tables. */
function metadataOf<Row extends ObjectLiteral>(
  dataSource: DataSource,
  table: EntitySchema<Row>,
): EntityMetadata {
  const found = entities.get(dataSource) ?? new WeakMap<object, EntityMetadata>();
  const metadata = found.get(table) ?? dataSource.getMetadata(table);
  entities.set(dataSource, found.set(table, metadata));
  return metadata;
}

const isScalar = (value: unknown): value is Scalar => ['string', 'number', 'boolean'].includes(typeof value);

/** Whether each column equals a value. A missing condition would name the rows of every organization. */
function isPlain(where: object): boolean {
  if (Array.isArray(where)) return false;
  const values: unknown[] = Object.values(where);
  if (values.some((value) => value === undefined || value === null))
    throw new InvariantError('A condition has a column without a value');
  return values.every(isScalar);
}

/** TypeORM's conditions have the same shape as `Where`. */
const conditions = <Row>(where: object): FindOptionsWhere<Row> => where;

const given = (values: object): string[] =>
  Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [name]));

const tableOf = ({ dataSource, tablePath }: EntityMetadata): string => dataSource.driver.escape(tablePath);

function columnOf(metadata: EntityMetadata, name: string): string {
  return metadata.dataSource.driver.escape(columnNamed(metadata, name).databaseName);
}

function columnNamed(metadata: EntityMetadata, name: string) {
  const column = known(metadata).columns.get(name);
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

function hydrated(
  metadata: EntityMetadata,
  names: readonly string[],
  found: Record<string, unknown>,
  prefix = '',
): Record<string, unknown> {
  const { driver } = metadata.dataSource;
  const row: Record<string, unknown> = {};
  for (const name of names) {
    const column = columnNamed(metadata, name);
    row[name] = driver.prepareHydratedValue(found[`${prefix}${column.databaseName}`], column);
  }
  return row;
}
