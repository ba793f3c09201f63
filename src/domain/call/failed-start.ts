import type { Disposition } from './dispositions.ts';

/** JSON object of a call. */
type Values = Readonly<Record<string, unknown>>;

const disposition = 'error' satisfies Disposition;
const error = 'The call could not be started';

/**
 * The record of a call that failed before it began (contract 6.8), with the values that it already had; its
 * tags stay unchanged.
 */
export function failedStart({ gatheredContext, logs }: { gatheredContext: Values; logs: Values }, at: Date) {
  return {
    disposition,
    gatheredContext: {
      ...gatheredContext,
      error,
      call_disposition: disposition,
      mapped_call_disposition: disposition,
    },
    usage: { llm: {}, tts: {}, stt: {}, call_duration_seconds: 0 },
    durationSeconds: 0,
    logs: {
      ...logs,
      realtime_feedback_events: [
        { type: 'rtf-pipeline-error', payload: { error, fatal: true }, timestamp: at.toISOString(), turn: 0 },
      ],
    },
  };
}
