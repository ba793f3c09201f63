import { rehearsedNumbers } from '../../src/domain/call/call-numbers.ts';
import { randomUUID } from 'node:crypto';
import { columns, type Db } from '../../src/db/rows.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';

/** The owner of the call. */
export type CallOwner = Pick<CallRow, 'organizationId' | 'agentId' | 'versionId'>;

/** Inserts rows of ended text calls of an agent's version, with changes; answers their ids. */
export async function insertCalls(
  db: Db,
  owner: CallOwner,
  ...changes: Partial<CallRow>[]
): Promise<number[]> {
  const inserted = await db.getRepository(calls).insert(
    changes.map((change) =>
      columns<CallRow>({
        ...endedCall(owner),
        ...rehearsedNumbers(change.initialContext ?? {}),
        ...change,
      }),
    ),
  );
  return inserted.identifiers.map((each) => Number(each['id']));
}

/** A call that started at its creation and lasted this long, with the matching usage. */
export function lasting(seconds: number, createdAt: Date): Partial<CallRow> {
  return {
    createdAt,
    startedAt: createdAt,
    endedAt: new Date(createdAt.getTime() + seconds * 1000),
    durationSeconds: seconds,
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
    ...rehearsedNumbers({}),
    initialContext: {},
    gatheredContext: {},
    usage: {},
    logs: {},
    annotations: {},
    judging: null,
    disposition: null,
    tags: [],
    publicToken: null,
    transcriptAvailable: false,
    createdAt: new Date('2026-11-20T10:00:00.000Z'),
    startedAt: null,
    answeredAt: null,
    endedAt: null,
    durationSeconds: null,
    latencyP95Ms: null,
    recordedAt: null,
    costUsd: null,
    campaignId: null,
    transcriptErasedAt: null,
    variablesErasedAt: null,
  };
}
