import {
  ApplicationFailure,
  currentUpdateInfo,
  defaultPayloadConverter,
  proxySinks,
  workflowInfo,
  type Payload,
  type WorkflowInterceptorsFactory,
} from '@temporalio/workflow';
import {
  childOf,
  isSameTrace,
  isSampled,
  spanIdOf,
  traceHeader,
  type CarriedTrace,
  type EndedUpdate,
  type TracingSink,
} from '../domain/trace/carried.ts';

/**
 * Passes on the trace of a Workflow by headers: what an Update does belongs to the trace of its sender,
 * everything else to the trace that the Workflow began in. It is always in the bundle and does nothing
 * without a header.
 *
 * T1. A Workflow makes the same commands at the same time with and without a trace: nothing here awaits,
 * delays or replaces a promise, draws a random number or makes a command. So traced and untraced histories
 * replay on every worker.
 *
 * T2. A sink reports an Update's span, never during a replay. A Workflow as a whole has no span, because it
 * may last for days.
 */
export const interceptors: WorkflowInterceptorsFactory = () => {
  const trace = new WorkflowTrace();
  const passed = <Input extends { readonly headers: Record<string, Payload> }>(input: Input): Input => ({
    ...input,
    headers: { ...input.headers, ...trace.headers() },
  });
  return {
    inbound: [
      {
        execute: (input, next) => {
          trace.begin(input.headers, input.args[0]);
          return next(input);
        },
        handleUpdate: (input, next) => {
          const ended = trace.update(input);
          const done = next(input);
          if (ended !== undefined)
            done.then(
              () => ended(),
              (error: unknown) => ended(kindOf(error)),
            );
          return done;
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(passed(input)),
        scheduleLocalActivity: (input, next) => next(passed(input)),
        startChildWorkflowExecution: (input, next) => next(passed(input)),
        continueAsNew: (input, next) =>
          next({ ...input, headers: { ...input.headers, ...trace.headersOfStart() } }),
      },
    ],
  };
};

/** The kind of a failure: the type of an Update's failure, otherwise the class; never its message. */
function kindOf(error: unknown): string {
  if (error instanceof ApplicationFailure) return error.type ?? 'unexpected';
  return error instanceof Error ? error.name : 'unexpected';
}

type Ids = Pick<EndedUpdate, 'callId' | 'organizationId' | 'agentVersion'>;

class WorkflowTrace {
  /** The trace that the Workflow began in. */
  #began: CarriedTrace | null = null;
  #ids: Ids = {};
  /**
   * `traceparent` of each traced Update's span, for what the Update does during its turn and in the
   * background later.
   */
  readonly #updates = new Map<string, string>();

  begin(headers: Record<string, Payload>, input: unknown): void {
    this.#began = read(headers);
    this.#ids = idsIn(input);
  }

  /** Begins an Update's span. Returns a function that ends it, or undefined without a trace. */
  update({
    updateId,
    name,
    headers,
  }: {
    updateId: string;
    name: string;
    headers: Record<string, Payload>;
  }): ((failure?: string) => void) | undefined {
    const carried = read(headers);
    if (carried === null) return undefined;
    const parent = carried.traceparent;
    const spanId = spanIdOf(workflowInfo().runId, updateId);
    const own = childOf(parent, spanId);
    if (own === null) return undefined;
    this.#updates.set(updateId, own);
    const startMs = Date.now();
    return (failure) => {
      if (!isSampled(parent)) return;
      const { tracing } = proxySinks<{ tracing: TracingSink }>();
      tracing.updateEnded({
        name,
        updateId,
        parent,
        ...this.#link(parent),
        spanId,
        startMs,
        endMs: Date.now(),
        ...(failure === undefined ? {} : { failure }),
        ...this.#ids,
      });
    };
  }

  headers(): Record<string, Payload> {
    const update = currentUpdateInfo();
    const traceparent = update === undefined ? undefined : this.#updates.get(update.id);
    return traceparent === undefined
      ? this.headersOfStart()
      : written({ traceparent, ...this.#link(traceparent) });
  }

  headersOfStart(): Record<string, Payload> {
    return this.#began === null ? {} : written(this.#began);
  }

  #link(traceparent: string): { began?: string } {
    return this.#began === null || isSameTrace(this.#began.traceparent, traceparent)
      ? {}
      : { began: this.#began.traceparent };
  }
}

const written = (carried: CarriedTrace): Record<string, Payload> => ({
  [traceHeader]: defaultPayloadConverter.toPayload(carried),
});

/** Reads the trace from a header. Clients may write anything into it, so an invalid trace counts as none. */
function read(headers: Record<string, Payload>): CarriedTrace | null {
  const payload = headers[traceHeader];
  if (payload === undefined) return null;
  const carried: unknown = defaultPayloadConverter.fromPayload(payload);
  if (
    typeof carried !== 'object' ||
    carried === null ||
    !('traceparent' in carried) ||
    typeof carried.traceparent !== 'string'
  )
    return null;
  return { traceparent: carried.traceparent };
}

function idsIn(input: unknown): Ids {
  const number = (name: string): number | undefined => {
    const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined;
    return typeof value === 'number' ? value : undefined;
  };
  const [callId, organizationId, agentVersion] = [
    number('callId'),
    number('organizationId'),
    number('versionNumber'),
  ];
  return {
    ...(callId === undefined ? {} : { callId }),
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(agentVersion === undefined ? {} : { agentVersion }),
  };
}
