/** The header of Temporal's own OpenTelemetry packages, which can read ours and vice versa. */
export const traceHeader = '_tracer-data';

/** The content of the header: W3C Trace Context as text. */
export interface CarriedTrace {
  traceparent: string;
  /** The trace in which the call began, if it is another one. */
  began?: string;
}

/** A span of a Workflow, timed in its sandbox and reported through a sink. */
export interface EndedUpdate {
  name: string;
  updateId: string;
  parent: string;
  began?: string;
  spanId: string;
  startMs: number;
  endMs: number;
  /** The type of the failure; absent on success. */
  failure?: string;
  callId?: number;
  organizationId?: number;
  agentVersion?: number;
}

/** A type and not an interface, because Temporal requires an index signature of sinks. */
export type TracingSink = { updateEnded(update: EndedUpdate): void };

const form = /^00-([0-9a-f]{32})-[0-9a-f]{16}-([0-9a-f]{2})$/;

/** The `traceparent` of a span in the same trace; null for an invalid `traceparent`. */
export function childOf(traceparent: string, spanId: string): string | null {
  const [, traceId, flags] = form.exec(traceparent) ?? [];
  return traceId === undefined || flags === undefined ? null : `00-${traceId}-${spanId}-${flags}`;
}

/** True if this trace is sampled. */
export function isSampled(traceparent: string): boolean {
  return Number.parseInt(form.exec(traceparent)?.[2] ?? '0', 16) % 2 === 1;
}

export const isSameTrace = (one: string, other: string): boolean =>
  form.exec(one)?.[1] === form.exec(other)?.[1];

const prime = 0x100000001b3n;
const mask = 0xffffffffffffffffn;

/**
 * A span id computed from the names of the span (FNV-1a, 64 bits): the same in every replay. A random number
 * would change all later random numbers of the Workflow.
 */
export function spanIdOf(...names: readonly string[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of names.join('\n'))
    hash = ((hash ^ BigInt(character.codePointAt(0) ?? 0)) * prime) & mask;
  return (hash === 0n ? 1n : hash).toString(16).padStart(16, '0');
}
