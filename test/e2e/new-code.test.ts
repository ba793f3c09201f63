import { afterAll, beforeAll, expect, test } from '@jest/globals';
import protocols from '@temporalio/proto';
import { z } from 'zod';
import { createTemporalClient, type TemporalClient } from '../../src/temporal/connection.ts';
import { bundleChangedWorkflows } from '../support/changed-workflows.ts';
import { edge, node } from '../support/definitions.ts';
import { eventually, type RunningProcess } from '../support/process.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { makeCurrent } from '../support/temporal.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/**
 * Live calls while the code of the Workflows changes in the middle of a turn: a durable pause before the reply,
 * once behind `patched()` and once, by mistake, without it.
 */
const imports = {
  file: 'src/workflows/call/turn.ts',
  from: "import { CancellationScope } from '@temporalio/workflow';",
  to: "import { CancellationScope, patched, sleep } from '@temporalio/workflow';",
};
const pause = "await sleep(5, { summary: 'pause' });";
const turnWith = (statement: string) => [
  imports,
  {
    file: imports.file,
    from: '  let turn = beginTurn(',
    to: `  ${statement}\n  let turn = beginTurn(`,
  },
];

const Made = z.object({ id: z.int() });
const Session = z.object({
  workflow_run_id: z.int(),
  revision: z.int(),
  is_completed: z.boolean(),
  session_data: z.object({
    turns: z.array(z.object({ user_message: z.object({ text: z.string() }).nullable() })),
  }),
});
type Session = z.infer<typeof Session>;
const Run = z.object({ temporal_workflow_id: z.string() });

let service: WholeService;
let receiver: Receiver;
let temporal: TemporalClient;
let agentPath: string;
let sessions: string;
let bundles: { present: string; patched: string; unpatched: string };

beforeAll(async () => {
  bundles = {
    present: await bundleChangedWorkflows('present', []),
    patched: await bundleChangedWorkflows('patched', turnWith(`if (patched('pause')) ${pause}`)),
    unpatched: await bundleChangedWorkflows('unpatched', turnWith(`${pause} void patched;`)),
  };
  service = await startWholeService({ env: { PARLANCE_LOG_LEVEL: 'fatal' } });
  receiver = await startReceiver();
  temporal = createTemporalClient({
    address: service.env['TEMPORAL_ADDRESS'] ?? '',
    namespace: service.namespace,
  });
  const nodes = [
    node('start', 'startCall', { name: 'Start', prompt: 'Talk.', greeting: 'Hello.' }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
    node('hook', 'webhook', { name: 'Hook', endpoint_url: receiver.url }),
  ];
  const workflow_definition = { nodes, edges: [edge('e', 'start', 'bye', 'done')] };
  const { id } = Made.parse(
    (await service.request('POST', '/workflow/create/definition', { name: 'Changing', workflow_definition }))
      .body,
  );
  agentPath = `/workflow/${id}`;
  sessions = `${agentPath}/text-chat/sessions`;
});

afterAll(async () => {
  await temporal.close();
  await receiver.close();
  await service.stop();
});

const startWorker = (bundle: string, env: Record<string, string> = {}): RunningProcess =>
  service.startWorker('test/support/chaos/worker.ts', { PARLANCE_WORKFLOW_BUNDLE: bundle, ...env });

async function kill(worker: RunningProcess): Promise<void> {
  worker.child.kill('SIGKILL');
  await worker.ended;
}

/** Repeats the request until it is answered. */
async function ask(path: string, body: unknown): Promise<Session> {
  return await eventually(path, async () => {
    const answer = await service.request('POST', path, body);
    return answer.status === 503 ? undefined : Session.parse(answer.body);
  });
}

const open = () => ask(sessions, {});
const say = ({ workflow_run_id: id, revision }: Session, text: string) =>
  ask(`${sessions}/${id}/messages`, { text, expected_revision: revision });
const end = ({ workflow_run_id: id, revision }: Session) =>
  ask(`${sessions}/${id}/end`, { expected_revision: revision });

const { WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR: nonDeterministic } =
  protocols.temporal.api.enums.v1.WorkflowTaskFailedCause;

/**
 * The turns in the history of a call, in order: replies, patch markers, pauses, and tasks that
 * failed due to changed code.
 */
async function historyOf({ workflow_run_id: runId }: Session): Promise<string[]> {
  const { temporal_workflow_id: workflowId } = Run.parse(
    (await service.request('GET', `${agentPath}/runs/${runId}`)).body,
  );
  const { events } = await temporal.request((client) => client.workflow.getHandle(workflowId).fetchHistory());
  return (events ?? []).flatMap((event) => {
    const activity = event.activityTaskScheduledEventAttributes?.activityType?.name ?? '';
    if (activity === 'converse') return [activity];
    if (event.markerRecordedEventAttributes?.markerName === 'core_patch') return ['patch'];
    if ((event.timerStartedEventAttributes?.startToFireTimeout?.nanos ?? 0) > 0) return ['pause'];
    return event.workflowTaskFailedEventAttributes?.cause === nonDeterministic ? ['task failed'] : [];
  });
}

const turn = ['converse'];
const pausedTurn = ['pause', 'converse'];

/** Checks the conversation and its webhook, each once. */
async function endsOnce(session: Session, said: string[]): Promise<void> {
  const ended = await end(session);
  expect(
    ended.session_data.turns.flatMap(({ user_message: user }) => (user === null ? [] : [user.text])),
  ).toEqual(said);
  expect(ended.is_completed).toBe(true);
  const sent = await eventually('the webhook', () =>
    receiver.requests.filter(({ runId }) => runId === String(session.workflow_run_id)).at(0),
  );
  expect(sent.body).toContain('call_disposition');
  expect(receiver.requests.filter(({ runId }) => runId === String(session.workflow_run_id))).toHaveLength(1);
}

test('a worker with a patched change takes over a live call: its history stays unchanged, and its next turns and new calls use the new code', async () => {
  const old = startWorker(bundles.present);
  const session = await open();
  await kill(old);
  const dying = startWorker(bundles.present, { CHAOS_POINTS: 'before converse' });
  const saying = say(session, 'in the middle of a turn');
  expect((await dying.ended).signal).toBe('SIGKILL');
  const worker = startWorker(bundles.patched);
  const after = await say(await saying, 'after it');
  const fresh = await say(await open(), 'from the beginning');
  expect(await historyOf(session)).toEqual([...turn, ...turn, 'patch', ...pausedTurn]);
  expect(await historyOf(fresh)).toEqual(['patch', ...pausedTurn, ...pausedTurn]);
  await endsOnce(after, ['in the middle of a turn', 'after it']);
  await endsOnce(fresh, ['from the beginning']);
  await kill(worker);
});

test("the same change without a patch visibly fails the call's next task, changes nothing, and the call continues with the correct code", async () => {
  const old = startWorker(bundles.present);
  const session = await open();
  await kill(old);
  const wrong = startWorker(bundles.unpatched);
  const saying = say(session, 'to the wrong code');
  await eventually('the task fails', async () =>
    (await historyOf(session)).includes('task failed') ? true : undefined,
  );
  await kill(wrong);
  const worker = startWorker(bundles.present);
  const answered = await saying;
  expect((await historyOf(session)).filter((each) => each !== 'task failed')).toEqual([...turn, ...turn]);
  await endsOnce(answered, ['to the wrong code']);
  await kill(worker);
});

test('with worker versions, the same change without a patch does not affect a live call, which ends on its first version', async () => {
  const one = startWorker(bundles.present, { PARLANCE_WORKER_BUILD_ID: 'one' });
  await makeCurrent(temporal, { deploymentName: 'parlance', buildId: 'one' });
  const session = await open();
  const two = startWorker(bundles.unpatched, { PARLANCE_WORKER_BUILD_ID: 'two' });
  await makeCurrent(temporal, { deploymentName: 'parlance', buildId: 'two' });
  const fresh = await say(await open(), 'to the new code');
  const answered = await say(session, 'to the old code');
  expect([await historyOf(session), await historyOf(fresh)]).toEqual([
    [...turn, ...turn],
    [...pausedTurn, ...pausedTurn],
  ]);
  await endsOnce(answered, ['to the old code']);
  await endsOnce(fresh, ['to the new code']);
  await kill(one);
  await kill(two);
});
