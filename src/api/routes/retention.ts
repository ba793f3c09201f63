import {
  getRetentionPolicy,
  previewRetention,
  setRetentionPolicy,
} from '../../services/data-lifecycle/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';

type RetentionRoute = 'getRetention' | 'setRetention' | 'previewRetention';

/** Retention policy of an organization. */
export function retentionHandlers(): Pick<Handlers<ServiceContext>, RetentionRoute> {
  return {
    getRetention: ({ ctx }) => getRetentionPolicy({ ctx }),
    setRetention: ({ ctx, input: { body } }) => setRetentionPolicy({ ctx, input: agesOf(body) }),
    previewRetention: ({ ctx, input: { query } }) => previewRetention({ ctx, input: agesOf(query) }),
  };
}

/** Days that a request names; absent and null mean forever. */
const agesOf = (named: {
  transcript_days?: number | null | undefined;
  recording_days?: number | null | undefined;
  variable_days?: number | null | undefined;
}) => ({
  transcriptDays: named.transcript_days ?? null,
  recordingDays: named.recording_days ?? null,
  variableDays: named.variable_days ?? null,
});
