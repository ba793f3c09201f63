import { createServer, type Server } from 'node:http';
import { afterEach, expect, test } from '@jest/globals';
import { closeServer, portOf } from '../../support/receiver.ts';
import { addHops, hopTimes } from '../../../tools/bench/hops.ts';

let server: Server | undefined;

afterEach(async () => {
  if (server !== undefined) await closeServer(server);
  server = undefined;
});

/** A worker that serves these texts as metrics, one after the other. */
async function startWorkerMetrics(...texts: string[]): Promise<string> {
  const started = createServer((_req, res) => res.end(texts.shift()));
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  server = started;
  return `http://127.0.0.1:${portOf(started)}/metrics`;
}

const latency = (sum: number, count: number) =>
  [
    `temporal_workflow_task_execution_latency_seconds_sum{task_queue="parlance-call"} ${sum}`,
    `temporal_workflow_task_execution_latency_seconds_count{task_queue="parlance-call"} ${count}`,
    `temporal_workflow_task_execution_latency_seconds_sum{task_queue="parlance-delivery"} ${sum * 100}`,
    `temporal_workflow_task_execution_latency_seconds_count{task_queue="parlance-delivery"} ${count * 100}`,
  ].join('\n');

test('hops are the difference of two readings, for the queue of calls only', async () => {
  const since = await hopTimes(await startWorkerMetrics(latency(1, 10), latency(1.25, 14)));
  const hops = await since();
  expect(hops.find(({ what }) => what === 'Workflow task runs')).toEqual({
    what: 'Workflow task runs',
    times: 4,
    ms: 250,
  });
  expect(hops.find(({ what }) => what === '`commitTurn` runs')).toEqual({
    what: '`commitTurn` runs',
    times: 0,
    ms: 0,
  });
});

test('hops of several readings are added up', () => {
  const reading = [{ what: 'Workflow task runs', times: 3, ms: 10 }];
  expect(addHops([reading, reading]).find(({ what }) => what === 'Workflow task runs')).toEqual({
    what: 'Workflow task runs',
    times: 6,
    ms: 20,
  });
});
