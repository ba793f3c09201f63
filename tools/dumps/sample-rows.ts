import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import { json } from '../../src/db/tables/columns.ts';
import { tables } from '../../src/db/tables.ts';

/**
 * Inserts two rows into every table: the first with a value in every column, the second with null where it is
 * allowed. The values depend only on the column definitions, so that a new column needs no change here.
 * References point to the row with the same number.
 */
export async function insertSampleRows(db: DataSource): Promise<void> {
  for (const table of tables) {
    const repository = db.getRepository<ObjectLiteral>(table.options.name);
    for (const number of [1, 2])
      await repository.insert(
        Object.fromEntries(
          repository.metadata.columns.map((column) => [column.propertyName, sampleOf(column, number)]),
        ),
      );
  }
  for (const number of [1, 2])
    await db.query('INSERT INTO attempts SET `key` = ?, points = ?, expire = ?', [
      `key-${number}`,
      number,
      number === 1 ? Date.UTC(2026, 0, 1) : null,
    ]);
}

type Column = EntityMetadata['columns'][number];

const jsonTransformer = json('').transformer;

function sampleOf(column: Column, number: number): unknown {
  if (column.isNullable && number === 2) return null;
  const type = String(column.type);
  const length = Number(column.length);
  switch (type) {
    case 'char':
      return `00000000-0000-4000-8000-${String(number).padStart(length - 24, '0')}`;
    case 'varchar':
      return `${column.databaseName.slice(0, length - 1)}${number}`;
    case 'longtext':
      return column.transformer === jsonTransformer
        ? { [column.databaseName]: [number, text, null] }
        : `${text} ${number}`;
    case 'datetime':
      return new Date(Date.UTC(2026, 0, number, 10, 20, 30, 456));
    case 'boolean':
      return number === 1;
    case 'decimal':
    case 'double':
      return number + 0.25;
    case 'int':
    case 'bigint':
      return number;
    case 'blob':
    case 'longblob':
      return Buffer.from([0, number, 255, 39, 92]);
    default:
      throw new Error(`${column.propertyPath}: there is no sample value for a column of type ${type}`);
  }
}

/** Characters that an escape or a charset may break. */
const text = `Zoë said: "it's 5 % \\ 🙂"`;
