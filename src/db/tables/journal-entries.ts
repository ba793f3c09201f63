import { EntitySchema } from 'typeorm';
import { id, integer, json, longText, timestamp, nullable, reference, word } from './columns.ts';

/**
 * What a media host did within an uncommitted step: clauses it made, sent and played, the model's decision,
 * and the caller's utterances. Written during the conversation, read only when the host is lost, and deleted
 * when the call's record is complete.
 */
export interface JournalEntryRow {
  id: number;
  organizationId: number;
  callId: number;
  generation: number;
  turnIndex: number;
  /** The visit distinguishes steps of one turn at different nodes; tool rounds ask the same node again. */
  visitIndex: number;
  toolRound: number;
  /** Order within the step. */
  position: number;
  kind: 'clause' | 'decision' | 'utterance';
  /** A clause, or an utterance of the caller. */
  text: string | null;
  /** For a decision: edge, tools, usage. */
  data: Record<string, unknown> | null;
  /** When the first frame of the clause was sent. */
  sentAt: Date | null;
  /** When the clause was played to its end; after an interruption, `heardText` is its heard part. */
  playedAt: Date | null;
  heardText: string | null;
  writtenAt: Date;
}

export const journalEntries = new EntitySchema<JournalEntryRow>({
  name: 'journal_entries',
  columns: {
    id: id('journal_entries'),
    organizationId: reference('organization_id'),
    callId: reference('call_id'),
    generation: integer('generation'),
    turnIndex: integer('turn_index'),
    visitIndex: integer('visit_index'),
    toolRound: integer('tool_round'),
    position: integer('position'),
    kind: word('kind', 16),
    text: nullable(longText('text')),
    data: nullable(json('data')),
    sentAt: nullable(timestamp('sent_at')),
    playedAt: nullable(timestamp('played_at')),
    heardText: nullable(longText('heard_text')),
    writtenAt: timestamp('written_at'),
  },
  indices: [
    {
      name: 'uq_journal_entries_place',
      columns: ['callId', 'generation', 'turnIndex', 'visitIndex', 'toolRound', 'kind', 'position'],
      unique: true,
    },
  ],
  foreignKeys: [
    {
      name: 'fk_journal_entries_organization',
      target: 'organizations',
      columnNames: ['organizationId'],
      referencedColumnNames: ['id'],
    },
    {
      name: 'fk_journal_entries_call',
      target: 'calls',
      columnNames: ['callId'],
      referencedColumnNames: ['id'],
    },
  ],
});
