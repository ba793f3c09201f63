import type { NarrowedQuery } from '../../../db/rows.ts';
import type { ObjectLiteral } from 'typeorm';
import { ForbiddenError, PreconditionError } from '../../../domain/errors.ts';
import {
  isObject,
  own,
  ownList,
  ownObject,
  ownText,
  type JsonObject,
} from '../../../domain/graph/definition.ts';
import { may, type ServiceContext } from '../../kernel/index.ts';

/** One filter of a list of calls (contract 6.2); `value` is what the request sent. */
export interface CallFilter extends JsonObject {
  attribute: Attribute;
  value: JsonObject;
}

/** The calls of one agent, or of the whole organization, which has more filters. */
export type CallListKind = 'agent' | 'organization';

/** A condition on the query's `call`. */
interface Condition {
  sql: string;
  parameters: ObjectLiteral;
}

/**
 * The condition of each filter attribute; null = the value restricts nothing, undefined = the value is
 * invalid.
 */
const conditions = {
  dateRange: (value) => between('call.createdAt', readDate(own(value, 'from')), readDate(own(value, 'to'))),
  dispositionCode: dispositionIn,
  duration: (value) =>
    between('call.durationSeconds', readBound(own(value, 'min')), readBound(own(value, 'max'))),
  status: hasStatus,
  // As answers show it (contract 6.1): no value during the call, then 0 unless the cost is known.
  tokenUsage: (value) =>
    between(
      'CASE WHEN call.endedAt IS NULL THEN NULL ELSE COALESCE(call.costUsd, 0) * 100 END',
      readBound(own(value, 'min')),
      readBound(own(value, 'max')),
    ),
  runId: (value) => (own(value, 'ids') === undefined ? hasId('call.id', value) : hasOneOfIds(value)),
  workflowId: (value) => hasId('call.agentId', value),
  versionId: (value) => hasId('call.versionId', value),
  campaignId: (value) => hasId('call.campaignId', value),
  callTags: hasTags,
  callerNumber: (value) => hasNumber('call.callerNumber', value),
  calledNumber: (value) => hasNumber('call.calledNumber', value),
  callDirection: (value) => isOneOf('call.direction', { inbound: 'inbound', outbound: 'outbound' }, value),
  callChannel: (value) => isOneOf('call.channel', { telephony: 'phone', web: 'web', chat: 'text' }, value),
} satisfies Record<string, (value: JsonObject) => Condition | null | undefined>;

type Attribute = keyof typeof conditions;

/** The attributes for the list of one agent (contract 6.2). */
const ofAgents: ReadonlySet<Attribute> = new Set([
  'dateRange',
  'dispositionCode',
  'duration',
  'status',
  'tokenUsage',
]);

/** The attributes by which one could guess what answers mask. */
const ofPeople: ReadonlySet<Attribute> = new Set(['callerNumber', 'calledNumber']);

/**
 * Reads the filters from a query's JSON text; none when it is absent or empty. Throws PreconditionError (400)
 * unless the text is an array of filters, and ForbiddenError (403) for an attribute that this list does not
 * have for the caller.
 */
export function readFilters(
  text: string | undefined,
  list: CallListKind,
  { actor }: Pick<ServiceContext, 'actor'>,
): CallFilter[] {
  if (text === undefined || text === '') return [];
  const filters = parse(text);
  const foreign = filters.find(
    ({ attribute }) =>
      !isAttribute(attribute) ||
      (list === 'agent' && !ofAgents.has(attribute)) ||
      // guarantee: masked-number-cannot-be-guessed
      (ofPeople.has(attribute) && !may(actor, 'people:read')),
  );
  if (foreign !== undefined) throw new ForbiddenError(`Invalid attribute '${foreign.attribute}'`);
  return filters.map((filter) => {
    const { attribute } = filter;
    const value = ownObject(filter, 'value');
    if (
      !isAttribute(attribute) ||
      !isObject(own(filter, 'value')) ||
      conditions[attribute](value) === undefined
    )
      throw invalid();
    return { ...filter, attribute, value };
  });
}

/** Narrows the query to the calls that pass every filter. */
export function applyFilters<Row extends ObjectLiteral>(
  query: NarrowedQuery<Row>,
  filters: readonly CallFilter[],
): NarrowedQuery<Row> {
  for (const [index, { attribute, value }] of filters.entries()) {
    const condition = conditions[attribute](value);
    if (condition === null || condition === undefined) continue;
    const named = Object.entries(condition.parameters).map(([name, each]: [string, unknown]) => [
      `${name}${index}`,
      each,
    ]);
    query.andWhere(
      condition.sql.replaceAll(
        /:(\.{3})?(\w+)/g,
        (_all, dots: string | undefined, name: string) => `:${dots ?? ''}${name}${index}`,
      ),
      Object.fromEntries(named),
    );
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
  const parts = [
    ...(from === null ? [] : [`${expression} >= :from`]),
    ...(to === null ? [] : [`${expression} <= :to`]),
  ];
  if (parts.length === 0) return null;
  return {
    sql: parts.join(' AND '),
    parameters: { ...(from === null ? {} : { from }), ...(to === null ? {} : { to }) },
  };
}

/** Null when there is no bound, undefined when the value is invalid. */
function readBound(value: unknown): Bound {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function readDate(value: unknown): Bound {
  if (value === undefined || value === null) return null;
  const date = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) ? new Date(value) : undefined;
  return date === undefined || Number.isNaN(date.getTime()) ? undefined : date;
}

/** Dispositions are compared exactly; an empty list restricts nothing. */
function dispositionIn(value: JsonObject): Condition | null | undefined {
  const codes = ownList(value, 'codes');
  if (!Array.isArray(own(value, 'codes')) || codes.some((code) => typeof code !== 'string')) return undefined;
  return codes.length === 0 ? null : { sql: 'call.disposition IN (:...codes)', parameters: { codes } };
}

function hasId(column: string, value: JsonObject): Condition | undefined {
  const id = own(value, 'value');
  return typeof id === 'number' && Number.isSafeInteger(id)
    ? { sql: `${column} = :id`, parameters: { id } }
    : undefined;
}

/** Exactly these calls. Unlike a list of codes, an empty one is invalid: it would mean all calls. */
function hasOneOfIds(value: JsonObject): Condition | undefined {
  const ids = ownList(value, 'ids');
  return ids.length > 0 && ids.every((id) => typeof id === 'number' && Number.isSafeInteger(id))
    ? { sql: 'call.id IN (:...ids)', parameters: { ids } }
    : undefined;
}

/**
 * Calls that have all of the tags. A tag with a lone surrogate is invalid, because JSON columns cannot hold
 * it.
 */
function hasTags(value: JsonObject): Condition | null | undefined {
  const codes = ownList(value, 'codes');
  if (
    !Array.isArray(own(value, 'codes')) ||
    codes.some((code) => typeof code !== 'string' || !code.isWellFormed())
  )
    return undefined;
  return codes.length === 0
    ? null
    : {
        sql: 'CASE WHEN JSON_VALID(call.tags) THEN JSON_CONTAINS(call.tags, :codes) ELSE 0 END = 1',
        parameters: { codes: JSON.stringify(codes) },
      };
}

/** Calls whose number contains the value; an empty value restricts nothing. */
function hasNumber(
  column: 'call.callerNumber' | 'call.calledNumber',
  value: JsonObject,
): Condition | null | undefined {
  const part = ownText(value, 'value');
  if (part === undefined || !part.isWellFormed()) return undefined;
  const within = `%${part.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return part === ''
    ? null
    : {
        sql: `${column} LIKE :within`,
        parameters: { within },
      };
}

function isOneOf(
  column: string,
  words: Readonly<Record<string, string>>,
  value: JsonObject,
): Condition | undefined {
  const status = ownText(value, 'status');
  return status !== undefined && Object.hasOwn(words, status)
    ? { sql: `${column} = :word`, parameters: { word: words[status] } }
    : undefined;
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
