import { z } from 'zod';
import { AnyObject, DateTime } from './common.ts';
import { record } from './lax/collections.ts';
import { integer } from './lax/number.ts';
import { text } from './lax/text.ts';
import { route } from './route.ts';

/** Contract 14.1, 15.2: what published clients list. */
export const Recording = z
  .object({
    id: z.int(),
    recording_id: z.string(),
    workflow_id: z.int().nullable(),
    organization_id: z.int(),
    tts_provider: z.string().nullable(),
    tts_model: z.string().nullable(),
    tts_voice_id: z.string().nullable(),
    transcript: z.string(),
    storage_key: z.string(),
    storage_backend: z.string(),
    metadata: AnyObject,
    created_by: z.int(),
    created_at: DateTime,
    is_active: z.boolean(),
  })
  .meta({ id: 'Recording', description: 'Something that an agent can play instead of speaking.' });

export const RecordingList = z.object({ recordings: z.array(Recording), total: z.int() }).meta({ id: 'RecordingList', description: 'Recordings.' });

export const listRecordings = route({
  method: 'get', path: '/workflow-recordings/', id: 'listRecordings', tag: 'Recordings', auth: 'key', scope: 'read',
  summary: 'List recordings', description: 'There is no way to add one yet, so every organization has none.',
  query: record({ workflow_id: integer().optional(), tts_provider: text().optional(), tts_model: text().optional(), tts_voice_id: text().optional() }),
  answers: { 200: { description: 'The recordings.', schema: RecordingList } },
});
