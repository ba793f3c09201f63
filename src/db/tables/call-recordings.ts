import { EntitySchema } from 'typeorm';
import { id, integer, timestamp, nullable, reference, text } from './columns.ts';

/**
 * A piece of a call's recording: the audio in both directions at one media host. The pieces are joined after
 * the call (contract 6.7).
 */
export interface CallRecordingRow {
  id: number;
  organizationId: number;
  callId: number;
  generation: number;
  /** Storage key of 16-bit stereo PCM without a header: caller left, agent right. */
  storageKey: string;
  sampleRate: number;
  /** The time of the first sample. */
  beganAt: Date;
  /** Null while the piece grows, or when its host was lost. */
  endedAt: Date | null;
}

export const callRecordings = new EntitySchema<CallRecordingRow>({
  name: 'call_recordings',
  columns: {
    id: id('call_recordings'),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    generation: integer('generation'),
    storageKey: text('storage_key', 255),
    sampleRate: integer('sample_rate'),
    beganAt: timestamp('began_at'),
    endedAt: nullable(timestamp('ended_at')),
  },
  indices: [{ name: 'uq_call_recordings_generation', columns: ['callId', 'generation'], unique: true }],
  foreignKeys: [
    {
      name: 'fk_call_recordings_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_call_recordings_call',
      target: 'calls',
      columnNames: ['callId'],
      referencedColumnNames: ['id'],
    },
  ],
});
