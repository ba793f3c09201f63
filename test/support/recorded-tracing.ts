import type { OpenSpan, SpanAttributes, SpanEnd, SpanStart, Tracing } from '../../src/runtime/tracing.ts';

export interface RecordedSpan extends SpanStart, SpanEnd {
  name: string;
  attributes: SpanAttributes;
  timesEnded: number;
}

/** Tracing that records its calls; every span has the same `traceparent`. */
export function recordedTracing(): { tracing: Tracing; spans: RecordedSpan[]; traceparent: string } {
  const spans: RecordedSpan[] = [];
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const begin = (start: SpanStart): OpenSpan => {
    const span: RecordedSpan = { attributes: {}, ...start, timesEnded: 0 };
    spans.push(span);
    const annotate = (attributes: SpanAttributes) =>
      void Object.assign(span, { attributes: { ...span.attributes, ...attributes } });
    return {
      traceparent,
      annotate,
      end: ({ name, attributes, failure } = {}) => {
        if (attributes !== undefined) annotate(attributes);
        Object.assign(span, {
          timesEnded: span.timesEnded + 1,
          ...(name === undefined ? {} : { name }),
          ...(failure === undefined ? {} : { failure }),
        });
      },
    };
  };
  const tracing: Tracing = {
    isOn: true,
    begin,
    within: (_span, work) => work(),
    record: () => undefined,
    active: () => undefined,
    annotate: () => undefined,
    stop: () => Promise.resolve(),
  };
  return { tracing, spans, traceparent };
}
