import { mkdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { gzipSync } from 'node:zlib';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { TemporalClient } from '../../src/temporal/connection.ts';

/** Scenarios of one Workflow type, to be run on real servers. */
export interface Recording {
  temporal: TemporalClient;
  names: string[];
  /** Runs one; answers the Workflow Id whose histories are recorded. */
  play(name: string): Promise<string>;
  close(): Promise<void>;
}

/**
 * Waits until the Workflow has ended and writes the history of each of its Runs: `<name>.json.gz`, or
 * `<name>-1.json.gz`, `<name>-2.json.gz`, …
 */
export async function keepHistories({
  temporal,
  workflowId,
  folder,
  name,
}: {
  temporal: TemporalClient;
  workflowId: string;
  folder: URL;
  name: string;
}): Promise<void> {
  const historyOf = (runId?: string) => temporal.client.workflow.getHandle(workflowId, runId).fetchHistory();
  await temporal.client.workflow
    .getHandle(workflowId)
    .result()
    .catch(() => undefined); // how it ends is part of the history
  const histories = [];
  let runId = (await historyOf()).events?.[0]?.workflowExecutionStartedEventAttributes?.firstExecutionRunId;
  while (typeof runId === 'string' && runId !== '') {
    const history = await historyOf(runId);
    histories.push(history);
    runId = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes?.newExecutionRunId;
  }
  mkdirSync(folder, { recursive: true });
  for (const [index, history] of histories.entries()) {
    const file = `${histories.length === 1 ? name : `${name}-${index + 1}`}.json.gz`;
    const json = withoutMachine(historyToJSON(history));
    writeFileSync(new URL(file, folder), gzipSync(json, { level: 9 }));
    console.log(`recorded ${file}: ${history.events?.length ?? 0} events`);
  }
}

/**
 * Removes values that name the machine and its folders: process identities and stack traces. A replay reads
 * neither.
 */
function withoutMachine(json: string): string {
  const text = JSON.stringify(
    JSON.parse(json, (key, value: unknown) =>
      key === 'stackTrace' ? '' : key === 'identity' ? 'recorded' : value,
    ),
  );
  return text.replaceAll(new RegExp(`\\d+@${hostname()}`, 'g'), 'recorded');
}
