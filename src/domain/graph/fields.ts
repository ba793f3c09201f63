import { isObject, type JsonObject, own } from './definition.ts';

/** The values that a key of a node's or edge's data allows (contract 2.3). */
export interface Field {
  /** `any` when another rule checks the value. */
  type:
    | 'any'
    | 'string'
    | 'number'
    | 'integer'
    | 'boolean'
    | 'choice'
    | 'strings'
    | 'records'
    | 'object'
    | 'string_lists';
  /** The key must be present. */
  required?: true;
  /** null is allowed and means the same as an absent key. */
  nullable?: true;
  /** For `choice`. */
  options?: readonly string[];
  /** For `records`: the fields of each item; other keys of an item are dropped when the graph is saved. */
  item?: Readonly<Record<string, Field>>;
  min?: number;
  max?: number;
  minLength?: number;
  /** Answers show only the last four characters (contract 1.1). */
  secret?: true;
  /** Says who gets the secrets of the node: they do not outlive a change of scheme, host and port. */
  addressee?: true;
  /** Stored when it is sent, but not in the catalog (contract 14.3). */
  unlisted?: true;
  /** Older clients send it; it is read but not stored. */
  retired?: true;
}

export type Fields = Readonly<Record<string, Field>>;

/** One fault of a value: the dotted path below the value, and what was expected. */
export interface FieldFault {
  path: string;
  message: string;
  /** The rule that the value breaks, and what it allows. */
  values: { is: string; limit?: string | number };
}

/** All faults of an object's declared fields, in order of declaration. Undeclared keys are not checked. */
export function fieldFaults(data: JsonObject, fields: Fields): FieldFault[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    if (!Object.hasOwn(data, name))
      return field.required === true
        ? [{ path: name, message: `${name} is missing`, values: { is: 'missing' } }]
        : [];
    return valueFaults(own(data, name), field).map(({ path, message, values }) => ({
      path: path === '' ? name : `${name}.${path}`,
      message: `${name} ${message}`,
      values,
    }));
  });
}

function valueFaults(value: unknown, field: Field): FieldFault[] {
  return value === null && field.nullable === true ? [] : checks[field.type](value, field);
}

const checks = {
  any: () => [],
  string: (value, { minLength = 0 }) => {
    if (typeof value !== 'string') return fault('must be text', { is: 'text' });
    return value.length < minLength ? fault('must not be empty', { is: 'filled' }) : [];
  },
  boolean: (value) =>
    readBoolean(value) === undefined ? fault('must be true or false', { is: 'boolean' }) : [],
  number: numberFaults,
  integer: numberFaults,
  choice: (value, { options = [] }) =>
    typeof value === 'string' && options.includes(value) ? [] : choiceFault(options.join(', ')),
  object: (value) => (isObject(value) ? [] : fault('must be an object', { is: 'object' })),
  strings: stringsFaults,
  string_lists: (value) => {
    if (!isObject(value)) return fault('must be an object', { is: 'object' });
    return Object.entries(value).flatMap(([key, list]) => within(key, stringsFaults(list)));
  },
  records: (value, { item = {} }) => recordsFaults(value, item),
} satisfies Record<Field['type'], (value: unknown, field: Field) => FieldFault[]>;

function numberFaults(value: unknown, { type, min, max }: Field): FieldFault[] {
  const number = readNumber(value);
  if (number === undefined) return fault('must be a number', { is: 'number' });
  if (type === 'integer' && !Number.isInteger(number))
    return fault('must be a whole number', { is: 'whole' });
  if (min !== undefined && number < min) return fault(`must be at least ${min}`, { is: 'min', limit: min });
  return max !== undefined && number > max ? fault(`must be at most ${max}`, { is: 'max', limit: max }) : [];
}

function stringsFaults(value: unknown): FieldFault[] {
  if (!Array.isArray(value)) return fault('must be a list', { is: 'list' });
  return value.flatMap((item: unknown, index) =>
    typeof item === 'string' ? [] : within(String(index), fault('must be text', { is: 'text' })),
  );
}

function recordsFaults(value: unknown, item: Fields): FieldFault[] {
  if (!Array.isArray(value)) return fault('must be a list', { is: 'list' });
  return value.flatMap((each: unknown, index) =>
    within(
      String(index),
      isObject(each) ? fieldFaults(each, item) : fault('must be an object', { is: 'object' }),
    ),
  );
}

const choiceFault = (limit: string): FieldFault[] =>
  fault(`must be one of ${limit}`, { is: 'choice', limit });

function fault(message: string, values: FieldFault['values']): FieldFault[] {
  return [{ path: '', message, values }];
}

function within(key: string, faults: FieldFault[]): FieldFault[] {
  return faults.map(({ path, message, values }) => ({
    path: path === '' ? key : `${key}.${path}`,
    message: `${key}: ${message}`,
    values,
  }));
}

const truthy: ReadonlySet<unknown> = new Set([true, 1, '1', 'true', 't', 'yes', 'y', 'on']);
const falsy: ReadonlySet<unknown> = new Set([false, 0, '0', 'false', 'f', 'no', 'n', 'off']);

/** Reads a boolean as published clients write it (contract 17, 6); undefined for any other value. */
export function readBoolean(value: unknown): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (truthy.has(word)) return true;
  return falsy.has(word) ? false : undefined;
}

/** Reads a number, also one written as text; undefined for any other value. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value.trim()))
    return undefined;
  const number = Number(value.trim());
  return Number.isFinite(number) ? number : undefined;
}
