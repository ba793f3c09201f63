/**
 * Values of closed lists, ids and numbers only: no word of a conversation, no phone number, no address with a
 * path.
 */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface SpanStart {
  name: string;
  kind: 'server' | 'client' | 'internal';
  attributes?: SpanAttributes;
  /** W3C `traceparent` of the parent span; absent = the active one. An invalid one starts a new trace. */
  parent?: string | undefined;
  /** `traceparent` of another trace that this span belongs to as well. */
  link?: string | undefined;
}

export interface SpanEnd {
  /** Replaces the initial name of the span. */
  name?: string;
  attributes?: SpanAttributes;
  /** The kind of failure (`failureKind`), never its message; absent = no failure. */
  failure?: string | undefined;
}

/** A started span. The code that starts it ends it, once. */
export interface OpenSpan {
  /** Continues this trace in another process (W3C Trace Context). */
  readonly traceparent: string;
  annotate(attributes: SpanAttributes): void;
  end(end?: SpanEnd): void;
}

/** A span that was timed in Temporal's sandbox, where no span can be opened. */
export interface PastSpan extends SpanStart {
  /** 16 hexadecimal digits. */
  spanId: string;
  startMs: number;
  endMs: number;
  failure?: string | undefined;
}

export interface ActiveTrace {
  /** 32 hexadecimal digits. */
  traceId: string;
  spanId: string;
  traceparent: string;
  /** False when the sampler left this trace out and it cannot be found later. */
  isSampled: boolean;
}

/** Receives spans (OpenTelemetry). Never throws, so that tracing cannot break the traced code. */
export interface Tracing {
  /** False without tracing; wrappers for tracing then return their argument unchanged. */
  readonly isOn: boolean;
  begin(start: SpanStart): OpenSpan;
  /** Runs `work`, including what it awaits, with a span as the active one. */
  within<T>(span: OpenSpan, work: () => T): T;
  record(past: PastSpan): void;
  active(): ActiveTrace | undefined;
  /** Adds attributes to the active span. */
  annotate(attributes: SpanAttributes): void;
  /** Sends the remaining spans within a time limit. */
  stop(): Promise<void>;
}

const noSpan: OpenSpan = { traceparent: '', annotate: () => undefined, end: () => undefined };

/** For processes without tracing. */
export const noTracing: Tracing = {
  isOn: false,
  begin: () => noSpan,
  within: (_span, work) => work(),
  record: () => undefined,
  active: () => undefined,
  annotate: () => undefined,
  stop: () => Promise.resolve(),
};

/** Runs `work` in a new span, which ends with it; `judge` derives the end of the span from the result. */
export async function inSpan<T>(
  tracing: Tracing,
  start: SpanStart,
  work: (span: OpenSpan) => Promise<T>,
  judge: (result: T) => SpanEnd = () => ({}),
): Promise<T> {
  const span = tracing.begin(start);
  try {
    const result = await tracing.within(span, () => work(span));
    span.end(judge(result));
    return result;
  } catch (error) {
    span.end({ failure: failureKind(error) });
    throw error;
  }
}

/** A kind is a single word; anything that may be a sentence is left out. */
const kindForm = /^[A-Za-z][\w.-]{0,63}$/;

/**
 * The loggable kind of a failure: our code, Temporal's failure type or the system's code, else the error's
 * class.
 */
export function failureKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const named = [Reflect.get(error, 'code'), Reflect.get(error, 'type'), error.name];
  return named.find((each): each is string => typeof each === 'string' && kindForm.test(each)) ?? 'Error';
}
