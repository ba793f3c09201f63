import type { Disposition } from './dispositions.ts';

/** JSON object of a call. */
type Values = Readonly<Record<string, unknown>>;

const disposition = 'error' satisfies Disposition;
const error = 'The call could not be started';

/**
 * What the record of a call says that failed before anybody could speak (contract 6.8), beside what it held;
 * its tags stay as they are.
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
    logs: {
      ...logs,
      realtime_feedback_events: [
        { type: 'rtf-pipeline-error', payload: { error, fatal: true }, timestamp: at.toISOString(), turn: 0 },
      ],
    },
  };
}
