import { rehearsedLine } from '../../src/domain/call/call-line.ts';
import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { columns } from '../../src/db/rows.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';

/** Whose call it is. */
export type CallOwner = Pick<CallRow, 'organizationId' | 'agentId' | 'versionId'>;

/** Rows of ended text calls, of a version of an agent, changed as a test wants them; answers their ids. */
export async function insertCalls(
  db: DataSource,
  owner: CallOwner,
  ...changes: Partial<CallRow>[]
): Promise<number[]> {
  const inserted = await db.getRepository(calls).insert(
    changes.map((change) =>
      columns<CallRow>({
        ...endedCall(owner),
        ...rehearsedLine(change.initialContext ?? {}),
        ...change,
      }),
    ),
  );
  return inserted.identifiers.map((each) => Number(each['id']));
}

/** A call begun at the moment of its creation that lasted for so long, with the usage that says so. */
export function lasting(seconds: number, createdAt: Date): Partial<CallRow> {
  return {
    createdAt,
    startedAt: createdAt,
    endedAt: new Date(createdAt.getTime() + seconds * 1000),
    usage: { llm: {}, tts: {}, stt: {}, call_duration_seconds: seconds },
  };
}

function endedCall(owner: CallOwner): Omit<CallRow, 'id'> {
  return {
    uuid: randomUUID(),
    ...owner,
    name: 'WR-TEXT-0A1B2C',
    mode: 'textchat',
    channel: 'text',
    direction: 'inbound',
    source: 'editor',
    state: 'ended',
    isTest: true,
    ...rehearsedLine({}),
    initialContext: {},
    gatheredContext: {},
    usage: {},
    logs: {},
    annotations: {},
    disposition: null,
    tags: [],
    publicToken: null,
    transcriptAvailable: false,
    createdAt: new Date('2026-11-20T10:00:00.000Z'),
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    recordedAt: null,
    costUsd: null,
    campaignId: null,
    transcriptErasedAt: null,
    variablesErasedAt: null,
  };
}
