import { ExportResultCode, type ExportResult } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

export interface ExportLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** The same exporter, with a log line when spans begin to be lost and when they arrive again. */
export function watchedExporter(exporter: SpanExporter, log: ExportLog): SpanExporter {
  let isLosing = false;
  const judge = ({ code, error }: ExportResult, spans: number): void => {
    const isLost = code === ExportResultCode.FAILED;
    if (isLost && !isLosing)
      log.warn(
        { spans, err: error },
        'Traces cannot be sent; calls continue, spans are lost until the receiver is available',
      );
    if (!isLost && isLosing) log.info({ spans }, 'Traces are sent again');
    isLosing = isLost;
  };
  return {
    export(spans: ReadableSpan[], done) {
      exporter.export(spans, (result) => {
        judge(result, spans.length);
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
