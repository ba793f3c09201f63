import { getRetentionPolicy, setRetentionPolicy } from '../../services/data-lifecycle/index.ts';
import type { ServiceContext } from '../../services/kernel/index.ts';
import type { Handlers } from '../bind.ts';

/** Retention policy of an organization. */
export function retentionHandlers(): Pick<Handlers<ServiceContext>, 'getRetention' | 'setRetention'> {
  return {
    getRetention: ({ ctx }) => getRetentionPolicy({ ctx }),
    setRetention: ({ ctx, input: { body } }) =>
      setRetentionPolicy({
        ctx,
        input: {
          transcriptDays: body.transcript_days ?? null,
          recordingDays: body.recording_days ?? null,
          variableDays: body.variable_days ?? null,
        },
      }),
  };
}
