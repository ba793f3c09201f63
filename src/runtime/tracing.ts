/**
 * Of closed lists, ids and numbers only: no word of a conversation, no phone number, no address with a path.
 */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

export interface SpanStart {
  name: string;
  kind: 'server' | 'client' | 'internal';
  attributes?: SpanAttributes;
  /**
   * W3C `traceparent` of the span that this one is part of; absent = the active one. What is no traceparent
   * begins a trace.
   */
  parent?: string | undefined;
  /** `traceparent` of another trace that this span belongs to as well. */
  link?: string | undefined;
}

export interface SpanEnd {
  /** Replaces the name that the span began with. */
  name?: string;
  attributes?: SpanAttributes;
  /** What kind of failure it was (`failureKind`), never its words; absent = none. */
  failure?: string | undefined;
}

/** Whoever begins a span ends it, once. */
export interface OpenSpan {
  /** For what continues this trace elsewhere (W3C Trace Context). */
  readonly traceparent: string;
  annotate(attributes: SpanAttributes): void;
  end(end?: SpanEnd): void;
}

/** A span that was timed where none can be opened: in Temporal's sandbox. */
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
  /** False when the sampler left this trace out: nobody will find it. */
  isSampled: boolean;
}

/** Where spans go (OpenTelemetry). Never throws: tracing must not break what is traced. */
export interface Tracing {
  /** False where nothing is traced; what wraps others for tracing then leaves them as they are. */
  readonly isOn: boolean;
  begin(start: SpanStart): OpenSpan;
  /** Runs `work` with a span as the active one, also in what it awaits. */
  within<T>(span: OpenSpan, work: () => T): T;
  record(past: PastSpan): void;
  active(): ActiveTrace | undefined;
  /** Adds to the active span. */
  annotate(attributes: SpanAttributes): void;
  /** Sends what is left, for a bounded time. */
  stop(): Promise<void>;
}

const noSpan: OpenSpan = { traceparent: '', annotate: () => undefined, end: () => undefined };

/** For processes that are not traced. */
export const noTracing: Tracing = {
  isOn: false,
  begin: () => noSpan,
  within: (_span, work) => work(),
  record: () => undefined,
  active: () => undefined,
  annotate: () => undefined,
  stop: () => Promise.resolve(),
};

/** Runs `work` in a span of its own, which ends with it; `judge` says what a result means for the span. */
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

/** A kind is one word of ours or of a library; what might be a sentence is none. */
const kindForm = /^[A-Za-z][\w.-]{0,63}$/;

/**
 * What may be told of a failure: our code, Temporal's failure type or the system's code, else the error's
 * class.
 */
export function failureKind(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const named = [Reflect.get(error, 'code'), Reflect.get(error, 'type'), error.name];
  return named.find((each): each is string => typeof each === 'string' && kindForm.test(each)) ?? 'Error';
}
