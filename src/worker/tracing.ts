import { defaultPayloadConverter } from '@temporalio/common';
import type { ActivityExecuteInput, ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker';
import { idAttributes } from '../runtime/span-names.ts';
import { inSpan, type SpanAttributes, type Tracing } from '../runtime/tracing.ts';
import { traceHeader, type TracingSink } from '../domain/trace/carried.ts';

/**
 * Spans of activities, in the trace of their Workflow; names are those of Temporal's own OpenTelemetry
 * package.
 */
export function tracedActivities(tracing: Tracing): ActivityInterceptorsFactory[] {
  if (!tracing.isOn) return [];
  return [
    ({ info }) => ({
      inbound: {
        execute: (input, next) => {
          const attributes = {
            [idAttributes.workflowId]: info.workflowExecution?.workflowId,
            [idAttributes.temporalRunId]: info.workflowExecution?.runId,
            [idAttributes.activityId]: info.activityId,
            [idAttributes.activityAttempt]: info.attempt,
            ...idsIn(input.args[0]),
          };
          return inSpan(
            tracing,
            { name: `RunActivity:${info.activityType}`, kind: 'internal', attributes, ...carriedBy(input) },
            () => next(input),
          );
        },
      },
    }),
  ];
}

/**
 * Sinks for spans of Workflows. Always installed, because a Workflow of a traced request may run on a worker
 * without tracing.
 */
export function tracingSinks(tracing: Tracing): InjectedSinks<{ tracing: TracingSink }> {
  return {
    tracing: {
      updateEnded: {
        fn: (
          { workflowId, runId },
          { name, updateId, parent, began, spanId, startMs, endMs, failure, ...ids },
        ) => {
          const attributes = {
            [idAttributes.workflowId]: workflowId,
            [idAttributes.temporalRunId]: runId,
            [idAttributes.updateId]: updateId,
            [idAttributes.callId]: ids.callId,
            [idAttributes.organizationId]: ids.organizationId,
            [idAttributes.agentVersion]: ids.agentVersion,
          };
          tracing.record({
            name: `HandleUpdate:${name}`,
            kind: 'server',
            parent,
            link: began,
            spanId,
            startMs,
            endMs,
            failure,
            attributes,
          });
        },
        callDuringReplay: false,
      },
    },
  };
}

/** An activity of a Workflow without a trace starts one. */
function carriedBy({ headers }: ActivityExecuteInput): { parent: string; link?: string } {
  const payload = headers[traceHeader];
  const carried: unknown = payload === undefined ? undefined : defaultPayloadConverter.fromPayload(payload);
  const text = (name: string): string | undefined => {
    const value: unknown =
      typeof carried === 'object' && carried !== null ? Reflect.get(carried, name) : undefined;
    return typeof value === 'string' ? value : undefined;
  };
  const link = text('began');
  return { parent: text('traceparent') ?? '', ...(link === undefined ? {} : { link }) };
}

/**
 * Ids and positions in the inputs of activities, at the top level or in the object that the input is about.
 * No other value is read.
 */
function idsIn(input: unknown): SpanAttributes {
  const places = [input, ...['step', 'request', 'checkpoint'].map((name) => fieldOf(input, name))];
  const found = (name: string) =>
    places
      .map((place) => fieldOf(place, name))
      .find((value): value is string | number => typeof value === 'string' || typeof value === 'number');
  const names = ['callId', 'organizationId', 'nodeId', 'turnIndex', 'deliveryUuid', 'attempt'] as const;
  return Object.fromEntries(names.map((name) => [idAttributes[name], found(name)]));
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
