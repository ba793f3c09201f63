import { counted } from '../domain/counted.ts';
import { isGrpcServiceError } from '@temporalio/client';
import { msNumberToTs } from '@temporalio/common/lib/time.js';
import proto from '@temporalio/proto';
import type { TemporalPlan } from '../config/temporal-plan.ts';
import { PreconditionError, UnavailableError } from '../domain/errors.ts';
import type { TemporalClient } from './connection.ts';

const { IndexedValueType } = proto.temporal.api.enums.v1;

const indexedValueTypes = {
  Text: IndexedValueType.INDEXED_VALUE_TYPE_TEXT,
  Keyword: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD,
  Int: IndexedValueType.INDEXED_VALUE_TYPE_INT,
  Double: IndexedValueType.INDEXED_VALUE_TYPE_DOUBLE,
  Bool: IndexedValueType.INDEXED_VALUE_TYPE_BOOL,
  Datetime: IndexedValueType.INDEXED_VALUE_TYPE_DATETIME,
  KeywordList: IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD_LIST,
} as const;

type SearchAttributeType = keyof typeof indexedValueTypes;
type SearchAttributeTypes = Record<string, SearchAttributeType>;

const grpcNotFound = 5;
const grpcAlreadyExists = 6;
const dayMs = 86_400_000;

export interface ApplyOptions {
  temporal: TemporalClient;
  plan: Pick<TemporalPlan, 'namespace' | 'searchAttributes'>;
  /** How long to wait until the server uses the declaration. */
  usableWithinMs?: number;
}

/**
 * Applies temporal.yaml to the client's namespace: creates it, sets its retention and adds missing search
 * attributes. Safe to repeat and to run in parallel. Resolves once the server uses the declaration; returns
 * one sentence per change. Throws PreconditionError when an attribute exists with another type,
 * UnavailableError when Temporal is unavailable.
 */
export async function applyTemporalPlan({
  temporal,
  plan,
  usableWithinMs = 60_000,
}: ApplyOptions): Promise<string[]> {
  const changes = [
    ...(await applyNamespace(temporal, plan.namespace.retentionDays)),
    ...(await within(usableWithinMs, () => applySearchAttributes(temporal, plan.searchAttributes))),
  ];
  await within(usableWithinMs, () => probe(temporal, plan.searchAttributes));
  return changes;
}

async function applyNamespace(temporal: TemporalClient, retentionDays: number): Promise<string[]> {
  const { namespace } = temporal;
  const retention = msNumberToTs(retentionDays * dayMs);
  const found = await temporal
    .request((client) => client.workflowService.describeNamespace({ namespace }))
    .catch(absent);
  if (found === null) {
    const made = await temporal
      .request((client) =>
        client.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: retention }),
      )
      .catch(alreadyThere);
    return made === null
      ? []
      : [`Namespace ${namespace} registered, retention ${counted(retentionDays, 'day')}`];
  }
  if (Number(found.config?.workflowExecutionRetentionTtl?.seconds ?? 0) * 1000 === retentionDays * dayMs)
    return [];
  await temporal.request((client) =>
    client.workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: retention },
    }),
  );
  return [`Retention of namespace ${namespace} set to ${counted(retentionDays, 'day')}`];
}

async function applySearchAttributes(
  temporal: TemporalClient,
  declared: SearchAttributeTypes,
): Promise<string[]> {
  const present = await listSearchAttributes(temporal);
  refuseOtherTypes(temporal.namespace, declared, present);
  const missing = Object.entries(declared).filter(([name]) => !(name in present));
  if (missing.length === 0) return [];
  const searchAttributes = Object.fromEntries(missing.map(([name, type]) => [name, indexedValueTypes[type]]));
  await temporal
    .request((client) =>
      client.connection.operatorService.addSearchAttributes({
        namespace: temporal.namespace,
        searchAttributes,
      }),
    )
    .catch(alreadyThere);
  return missing.map(([name, type]) => `Search attribute ${name} (${type}) added`);
}

async function listSearchAttributes(temporal: TemporalClient): Promise<Record<string, number>> {
  const answer = await temporal.request((client) =>
    client.connection.operatorService.listSearchAttributes({ namespace: temporal.namespace }),
  );
  return Object.fromEntries(
    Object.entries(answer.customAttributes ?? {}).map(([name, type]) => [name, type]),
  );
}

function refuseOtherTypes(
  namespace: string,
  declared: SearchAttributeTypes,
  present: Record<string, number>,
): void {
  const wrong = Object.entries(declared).filter(
    ([name, type]) => name in present && present[name] !== indexedValueTypes[type],
  );
  if (wrong.length === 0) return;
  const faults = wrong.map(
    ([name, type]) => `${name} is ${typeName(present[name])} in the namespace and ${type} in temporal.yaml`,
  );
  throw new PreconditionError(
    `Search attributes of namespace ${namespace} have other types: ${faults.join('; ')}. A type cannot be changed: remove the attribute (temporal operator search-attribute remove) or declare another name.`,
  );
}

function typeName(value: number | undefined): string {
  return Object.entries(indexedValueTypes).find(([, each]) => each === value)?.[0] ?? 'of an unknown type';
}

/**
 * One query that names every attribute. It succeeds once the namespace and the attributes are in the server's
 * caches.
 */
async function probe(temporal: TemporalClient, declared: SearchAttributeTypes): Promise<void> {
  const query = Object.keys(declared)
    .map((name) => `${name} IS NULL`)
    .join(' AND ');
  await temporal.request((client) =>
    client.workflowService.listWorkflowExecutions({ namespace: temporal.namespace, pageSize: 1, query }),
  );
}

/** Retries `work`, because a new namespace and new attributes reach the server's caches within seconds. */
async function within<T>(limitMs: number, work: () => Promise<T>): Promise<T> {
  const until = Date.now() + limitMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PreconditionError || error instanceof UnavailableError || Date.now() >= until)
        throw error;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  }
}

function absent(error: unknown): null {
  if (hasStatus(error, grpcNotFound)) return null;
  throw error;
}

function alreadyThere(error: unknown): null {
  if (hasStatus(error, grpcAlreadyExists)) return null;
  throw error;
}

function hasStatus(error: unknown, status: number): boolean {
  if (!isGrpcServiceError(error)) return false;
  const code: number = error.code;
  return code === status;
}
