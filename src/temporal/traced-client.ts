import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { idAttributes } from '../runtime/span-names.ts';
import { inSpan, type SpanAttributes, type Tracing } from '../runtime/tracing.ts';
import { traceHeader, type CarriedTrace } from '../domain/trace/carried.ts';

/**
 * Adds requests to Temporal to their trace: a span for the time of Temporal and the Workflow, and a header
 * that continues the trace there. Names are those of Temporal's own OpenTelemetry package. The payload codec
 * does not process headers; this one contains only ids of trace and span.
 */
export function tracedClient(tracing: Tracing): WorkflowClientInterceptor[] {
  if (!tracing.isOn) return [];
  const sent = <T>(
    name: string,
    attributes: SpanAttributes,
    send: (carried: Headers) => Promise<T>,
  ): Promise<T> => {
    if (tracing.active() === undefined) return send({});
    return inSpan(tracing, { name, kind: 'client', attributes }, ({ traceparent }) =>
      send({ [traceHeader]: defaultPayloadConverter.toPayload({ traceparent } satisfies CarriedTrace) }),
    );
  };
  return [
    {
      startWithDetails: (input, next) =>
        sent(
          `StartWorkflow:${input.workflowType}`,
          { [idAttributes.workflowId]: input.options.workflowId },
          (carried) => next({ ...input, headers: { ...input.headers, ...carried } }),
        ),
      startUpdate: (input, next) =>
        sent(
          `StartWorkflowUpdate:${input.updateName}`,
          updateAttributes(input.workflowExecution.workflowId, input.options.updateId),
          (carried) => next({ ...input, headers: { ...input.headers, ...carried } }),
        ),
      startUpdateWithStart: (input, next) =>
        sent(
          `UpdateWithStartWorkflow:${input.updateName}`,
          updateAttributes(input.workflowStartOptions.workflowId, input.updateOptions.updateId),
          (carried) =>
            next({
              ...input,
              workflowStartHeaders: { ...input.workflowStartHeaders, ...carried },
              updateHeaders: { ...input.updateHeaders, ...carried },
            }),
        ),
      signal: (input, next) =>
        sent(
          `SignalWorkflow:${input.signalName}`,
          { [idAttributes.workflowId]: input.workflowExecution.workflowId ?? undefined },
          (carried) => next({ ...input, headers: { ...input.headers, ...carried } }),
        ),
    },
  ];
}

function updateAttributes(
  workflowId: string | null | undefined,
  updateId: string | undefined,
): SpanAttributes {
  return { [idAttributes.workflowId]: workflowId ?? undefined, [idAttributes.updateId]: updateId };
}
