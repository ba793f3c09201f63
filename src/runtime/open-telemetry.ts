import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
  type IdGenerator,
} from '@opentelemetry/sdk-trace';
import { samplerOf, type SamplerChoice } from './sampler.ts';
import { watchedExporter, type ExportLog } from './watched-exporter.ts';
import type { ActiveTrace, OpenSpan, SpanEnd, SpanStart, Tracing } from './tracing.ts';

export interface OpenTelemetryOptions {
  /**
   * Base URL of an OTLP/HTTP receiver; `/v1/traces` is added. Headers, timeout and compression are read by
   * the exporter from OTEL_EXPORTER_OTLP_*.
   */
  endpoint: string;
  sampler: SamplerChoice;
  /**
   * The process role; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES take precedence over the attributes made
   * from it.
   */
  role: string;
  version: string;
  log: ExportLog;
  /** Time limit for stopping. */
  stopLimitMs?: number;
  /** Time limit for sending one batch; OTEL_EXPORTER_OTLP_TIMEOUT or 10 s when absent. */
  exportLimitMs?: number;
  /** How long ended spans wait to be sent in one batch. */
  batchDelayMs?: number;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/**
 * Tracing with OpenTelemetry's SDK. Nothing is registered globally, so no library traces on its own. Spans
 * are sent in the background in batches, with at most 2,048 waiting; an unavailable or hanging receiver loses
 * spans but affects no call.
 */
export function openTelemetry(options: OpenTelemetryOptions): Tracing {
  const { stopLimitMs = 3000, log } = options;
  const ids = new GivenIds();
  const provider = providerOf(options, ids);
  const tracer = provider.getTracer('parlance', options.version);
  const contexts = new AsyncLocalStorageContextManager().enable();
  const spans = new WeakMap<OpenSpan, Context>();

  const start = ({ name, kind, attributes = {}, parent, link }: SpanStart, startTime?: number) => {
    const linked = remote(link);
    const context = parent === undefined ? contexts.active() : contextOf(parent);
    const span = tracer.startSpan(
      name,
      {
        kind: kinds[kind],
        attributes: written(attributes),
        ...(startTime === undefined ? {} : { startTime }),
        links: linked === null ? [] : [{ context: linked }],
      },
      context,
    );
    return { span, context: trace.setSpan(context, span) };
  };

  return {
    isOn: true,
    begin(beginning) {
      const { span, context } = start(beginning);
      const open = opened(span);
      spans.set(open, context);
      return open;
    },
    within: (open, work) => contexts.with(spans.get(open) ?? contexts.active(), work),
    record(past) {
      ids.next = past.spanId;
      const { span } = start(past, past.startMs);
      end(span, past.failure === undefined ? {} : { failure: past.failure }, past.endMs);
    },
    active: () => activeTrace(trace.getSpanContext(contexts.active())),
    annotate: (attributes) => void trace.getSpan(contexts.active())?.setAttributes(written(attributes)),
    stop: () => stopWithin(stopLimitMs, provider, log),
  };
}

function providerOf(
  { endpoint, sampler, role, version, log, exportLimitMs, batchDelayMs = 2000 }: OpenTelemetryOptions,
  idGenerator: GivenIds,
): TracerProvider {
  const exporter = watchedExporter(
    new OTLPTraceExporter({
      url: `${endpoint}/v1/traces`,
      ...(exportLimitMs === undefined ? {} : { timeoutMillis: exportLimitMs }),
    }),
    log,
  );
  const resource = resourceFromAttributes({
    'service.name': `parlance-${role}`,
    'service.version': version,
    'parlance.role': role,
  }).merge(detectResources({ detectors: [envDetector] }));
  return new TracerProvider({
    resource,
    idGenerator,
    sampler: samplerOf(sampler),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: batchDelayMs })],
  });
}

/** Random ids, except for past spans, which already have one. */
class GivenIds implements IdGenerator {
  next: string | undefined;
  readonly #random = new RandomIdGenerator();

  generateTraceId(): string {
    return this.#random.generateTraceId();
  }

  generateSpanId(): string {
    const id = this.next ?? this.#random.generateSpanId();
    this.next = undefined;
    return id;
  }
}

function opened(span: Span): OpenSpan {
  return {
    traceparent: traceparentOf(span.spanContext()),
    annotate: (attributes) => void span.setAttributes(written(attributes)),
    end: (ending = {}) => end(span, ending),
  };
}

/** A failure becomes a status without a message and an event that names its kind. */
function end(span: Span, { name, attributes, failure }: SpanEnd, endTime?: number): void {
  if (name !== undefined) span.updateName(name);
  if (attributes !== undefined) span.setAttributes(written(attributes));
  if (failure !== undefined) {
    span.setAttribute('error.type', failure);
    span.setStatus({ code: SpanStatusCode.ERROR });
    span.addEvent('exception', { 'exception.type': failure }, endTime);
  }
  span.end(endTime);
}

function written(attributes: NonNullable<SpanStart['attributes']>) {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : value] as const],
    ),
  );
}

/** A span with an unreadable parent starts a trace of its own (W3C Trace Context 4.3). */
function contextOf(traceparent: string): Context {
  const parent = remote(traceparent);
  return parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent);
}

function remote(traceparent: string | undefined): SpanContext | null {
  const parsed = traceparent === undefined ? null : parseTraceParent(traceparent);
  return parsed === null ? null : { ...parsed, isRemote: true };
}

const traceparentOf = ({ traceId, spanId, traceFlags }: SpanContext): string =>
  `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;

function activeTrace(context: SpanContext | undefined): ActiveTrace | undefined {
  if (context === undefined) return undefined;
  const { traceId, spanId, traceFlags } = context;
  return { traceId, spanId, traceparent: traceparentOf(context), isSampled: (traceFlags & 1) === 1 };
}

/**
 * Sends the remaining spans. If the receiver does not accept them in time, they are lost and the shutdown
 * continues.
 */
async function stopWithin(limitMs: number, provider: TracerProvider, log: ExportLog): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs);
  });
  const sent = provider.shutdown().then(
    () => 'sent' as const,
    () => 'failed' as const,
  );
  if ((await Promise.race([sent, late])) === 'late')
    log.warn({ limitMs }, 'The last traces could not be sent in time');
  clearTimeout(timer);
}
