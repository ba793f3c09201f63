import type { EntitySchemaColumnOptions } from 'typeorm';

/**
 * Column types of the tables. Identifiers are `ascii_bin`, because the default collations treat some
 * different letters as equal. Customers' documents are LONGTEXT, because MySQL's JSON type reorders keys and
 * refuses lone surrogates.
 */

const bigintAsNumber = {
  to: (value: number | null | undefined) => value,
  from: (value: string | number | null) =>
    value === null || value === undefined ? value : safeNumber(value),
};

function safeNumber(value: string | number): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`An id is beyond 2^53: ${value}`);
  return number;
}

/** JSON.stringify writes lone surrogates as \u escapes, so they survive utf8mb4. */
const jsonDocument = {
  to: (value: unknown) => (value === null || value === undefined ? value : JSON.stringify(value)),
  from: (value: string | null): unknown => (value === null || value === undefined ? null : JSON.parse(value)),
};

/** `table` names the constraint, so that the schema is the same on every server. */
export const id = (table: string) =>
  ({
    type: 'bigint',
    unsigned: true,
    primary: true,
    generated: 'increment',
    primaryKeyConstraintName: `pk_${table}`,
    transformer: bigintAsNumber,
  }) satisfies EntitySchemaColumnOptions;

export const reference = (name: string) =>
  ({ name, type: 'bigint', unsigned: true, transformer: bigintAsNumber }) satisfies EntitySchemaColumnOptions;

export const primaryReference = (name: string, table: string) =>
  ({
    ...reference(name),
    primary: true,
    primaryKeyConstraintName: `pk_${table}`,
  }) satisfies EntitySchemaColumnOptions;

export const uuid = (name = 'uuid') =>
  ({
    name,
    type: 'char',
    length: '36',
    charset: 'ascii',
    collation: 'ascii_bin',
  }) satisfies EntitySchemaColumnOptions;

/** Machine words and hashes: ASCII, compared byte by byte. */
export const word = (name: string, length: number) =>
  ({
    name,
    type: 'varchar',
    length: String(length),
    charset: 'ascii',
    collation: 'ascii_bin',
  }) satisfies EntitySchemaColumnOptions;

/** Short text that people write and that is compared byte by byte. */
export const text = (name: string, length: number) =>
  ({
    name,
    type: 'varchar',
    length: String(length),
    charset: 'utf8mb4',
    collation: 'utf8mb4_bin',
  }) satisfies EntitySchemaColumnOptions;

/** Text of any length. */
export const longText = (name: string) =>
  ({
    name,
    type: 'longtext',
    charset: 'utf8mb4',
    collation: 'utf8mb4_bin',
  }) satisfies EntitySchemaColumnOptions;

/** At most 65,535 bytes. */
export const bytes = (name: string) => ({ name, type: 'blob' }) satisfies EntitySchemaColumnOptions;

export const json = (name: string) =>
  ({ ...longText(name), transformer: jsonDocument }) satisfies EntitySchemaColumnOptions;

/** A UTC timestamp with microseconds. */
export const timestamp = (name: string) =>
  ({ name, type: 'datetime', precision: 6 }) satisfies EntitySchemaColumnOptions;

export const integer = (name: string) =>
  ({ name, type: 'int', unsigned: true }) satisfies EntitySchemaColumnOptions;

const decimalAsNumber = {
  to: (value: number | null | undefined) => value,
  from: (value: string | number | null) => (value === null || value === undefined ? value : Number(value)),
};

/** Money with eight decimals. */
export const amount = (name: string) =>
  ({
    name,
    type: 'decimal',
    precision: 16,
    scale: 8,
    transformer: decimalAsNumber,
  }) satisfies EntitySchemaColumnOptions;

/** A length of time with milliseconds. */
export const seconds = (name: string) =>
  ({
    name,
    type: 'decimal',
    precision: 12,
    scale: 3,
    transformer: decimalAsNumber,
  }) satisfies EntitySchemaColumnOptions;

export const primaryInteger = (name: string, table: string) =>
  ({
    ...integer(name),
    primary: true,
    primaryKeyConstraintName: `pk_${table}`,
  }) satisfies EntitySchemaColumnOptions;

/** An integer up to 2^53 that may be negative. */
export const signedBigint = (name: string) =>
  ({ name, type: 'bigint', transformer: bigintAsNumber }) satisfies EntitySchemaColumnOptions;

export const double = (name: string) => ({ name, type: 'double' }) satisfies EntitySchemaColumnOptions;

export const flag = (name: string) => ({ name, type: 'boolean' }) satisfies EntitySchemaColumnOptions;

export const nullable = <T extends EntitySchemaColumnOptions>(column: T) =>
  ({ ...column, nullable: true }) satisfies EntitySchemaColumnOptions;
