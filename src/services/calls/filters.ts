import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import { ForbiddenError, PreconditionError } from '../../domain/errors.ts';
import { isObject, own, ownList, ownObject, ownText, type JsonObject } from '../../domain/graph/definition.ts';

/** One filter of the list of calls (contract 6.2); `value` as it was sent. */
export interface CallFilter extends JsonObject {
  attribute: Attribute;
  value: JsonObject;
}

/** A condition on the query's `call`. */
interface Condition {
  sql: string;
  parameters: ObjectLiteral;
}

/** What an agent's list can be filtered by, and how; null = the value restricts nothing, undefined = it cannot be read. */
const conditions = {
  dateRange: (value) => between('call.createdAt', readDate(own(value, 'from')), readDate(own(value, 'to'))),
  dispositionCode: dispositionIn,
  duration: (value) => between('TIMESTAMPDIFF(MICROSECOND, call.startedAt, call.endedAt) / 1000000', readBound(own(value, 'min')), readBound(own(value, 'max'))),
  status: hasStatus,
  // As an answer shows it (contract 6.1): none while the call goes on, then 0 unless the cost is known.
  tokenUsage: (value) => between('CASE WHEN call.endedAt IS NULL THEN NULL ELSE COALESCE(call.costUsd, 0) * 100 END', readBound(own(value, 'min')), readBound(own(value, 'max'))),
} satisfies Record<string, (value: JsonObject) => Condition | null | undefined>;

type Attribute = keyof typeof conditions;

/**
 * The filters of a query's JSON text; none when it is absent or empty. Throws PreconditionError (400) for a text that is no array of
 * filters, ForbiddenError (403) for an attribute that this list does not have.
 */
export function readFilters(text: string | undefined): CallFilter[] {
  if (text === undefined || text === '') return [];
  const filters = parse(text);
  const foreign = filters.find(({ attribute }) => !isAttribute(attribute));
  if (foreign !== undefined) throw new ForbiddenError(`Invalid attribute '${foreign.attribute}'`);
  return filters.map((filter) => {
    const { attribute } = filter;
    const value = ownObject(filter, 'value');
    if (!isAttribute(attribute) || !isObject(own(filter, 'value')) || conditions[attribute](value) === undefined) throw invalid();
    return { ...filter, attribute, value };
  });
}

/** Narrows the query to the calls that pass every filter. */
export function applyFilters<Row extends ObjectLiteral>(query: SelectQueryBuilder<Row>, filters: readonly CallFilter[]): SelectQueryBuilder<Row> {
  for (const [index, { attribute, value }] of filters.entries()) {
    const condition = conditions[attribute](value);
    if (condition === null || condition === undefined) continue;
    const named = Object.entries(condition.parameters).map(([name, each]: [string, unknown]) => [`${name}${index}`, each]);
    query.andWhere(condition.sql.replaceAll(/:(\.{3})?(\w+)/g, (_all, dots: string | undefined, name: string) => `:${dots ?? ''}${name}${index}`), Object.fromEntries(named));
  }
  return query;
}

function parse(text: string): (JsonObject & { attribute: string })[] {
  let filters: unknown;
  try {
    filters = JSON.parse(text);
  } catch (error) {
    throw invalid(error);
  }
  if (!Array.isArray(filters)) throw invalid();
  return filters.map((filter: unknown) => {
    const attribute = isObject(filter) ? ownText(filter, 'attribute') : undefined;
    if (!isObject(filter) || attribute === undefined) throw invalid();
    return { ...filter, attribute };
  });
}

function invalid(cause?: unknown): PreconditionError {
  return new PreconditionError('Invalid filter format', { status: 400, cause });
}

function isAttribute(attribute: string): attribute is Attribute {
  return Object.hasOwn(conditions, attribute);
}

type Bound = Date | number | null | undefined;

function between(expression: string, from: Bound, to: Bound): Condition | null | undefined {
  if (from === undefined || to === undefined) return undefined;
  const parts = [...(from === null ? [] : [`${expression} >= :from`]), ...(to === null ? [] : [`${expression} <= :to`])];
  if (parts.length === 0) return null;
  return { sql: parts.join(' AND '), parameters: { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) } };
}

/** Null where no bound was given, undefined where it is none. */
function readBound(value: unknown): Bound {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function readDate(value: unknown): Bound {
  if (value === undefined || value === null) return null;
  const date = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? new Date(value) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}

/** Outcomes are compared as they are written; an empty list restricts nothing. */
function dispositionIn(value: JsonObject): Condition | null | undefined {
  const codes = ownList(value, 'codes');
  if (!Array.isArray(own(value, 'codes')) || codes.some((code) => typeof code !== 'string')) return undefined;
  return codes.length === 0 ? null : { sql: 'call.disposition IN (:...codes)', parameters: { codes } };
}

function hasStatus(value: JsonObject): Condition | undefined {
  const ended = { ended: ['ended', 'refused'] };
  switch (own(value, 'status')) {
    case 'completed':
      return { sql: 'call.state IN (:...ended)', parameters: ended };
    case 'in_progress':
      return { sql: 'call.state NOT IN (:...ended)', parameters: ended };
    default:
      return undefined;
  }
}
