import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { edge, node } from '../support/definitions.ts';
import { eventually, type RunningProcess } from '../support/process.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/**
 * Roles that get a stop signal in the middle of an answer, as in every deploy. Checked by the caller's answer
 * and the model's requests.
 */

const Made = z.object({ id: z.int() });
const Session = z.object({
  workflow_run_id: z.int(),
  revision: z.int(),
  session_data: z.object({
    turns: z.array(z.object({ assistant_message: z.object({ text: z.string() }).nullable() })),
  }),
});
const Log = z.object({
  entries: z.array(z.object({ rule: z.string().nullable(), firstPieceAt: z.string().nullable() })),
});

const slowWords =
  'Let me think about that for a moment, and then I shall tell you everything that there is to know about it.';
const emulator = { 'content-type': 'application/json', authorization: 'Bearer simulated' };

let service: WholeService;
let worker: RunningProcess;

beforeAll(async () => {
  service = await startWholeService({ env: { PARLANCE_LOG_LEVEL: 'info' } });
  const rules = ['to a worker', 'to the api'].map((name) => ({
    name,
    when: { userText: name },
    answer: { say: slowWords, pieceDelayMs: 120 },
  }));
  const added = await fetch(new URL('/emulator/rules', service.llmUrl), {
    method: 'POST',
    headers: emulator,
    body: JSON.stringify({ scope: 'simulated', rules }),
  });
  if (added.status !== 201) throw new Error(`the rules were not taken: ${added.status}`);
  worker = service.startWorker();
});

afterAll(async () => {
  await service.stop();
});

async function openCall(): Promise<(text: string) => Promise<{ status: number; said: string | undefined }>> {
  const graph = {
    nodes: [
      node('s', 'startCall', { name: 'Start', prompt: 'You answer.', greeting: 'Hello.' }),
      node('e', 'endCall', { name: 'End', prompt: 'Bye.' }),
    ],
    edges: [edge('s-e', 's', 'e', 'done')],
  };
  const { id } = Made.parse(
    (
      await service.request('POST', '/workflow/create/definition', {
        name: 'Slow',
        workflow_definition: graph,
      })
    ).body,
  );
  const opened = Session.parse(
    (await service.request('POST', `/workflow/${id}/text-chat/sessions`, {})).body,
  );
  return async (text) => {
    const { status, body } = await service.request(
      'POST',
      `/workflow/${id}/text-chat/sessions/${opened.workflow_run_id}/messages`,
      { text, expected_revision: opened.revision },
    );
    return { status, said: Session.parse(body).session_data.turns.at(-1)?.assistant_message?.text };
  };
}

/** How often the model got this request, and whether it is answering. */
async function asked(rule: string): Promise<{ count: number; speaks: boolean }> {
  const answer = await fetch(new URL('/emulator/log?scope=simulated', service.llmUrl), { headers: emulator });
  const entries = Log.parse(await answer.json()).entries.filter((entry) => entry.rule === rule);
  return { count: entries.length, speaks: entries.some(({ firstPieceAt }) => firstPieceAt !== null) };
}

const speaking = (rule: string) =>
  eventually('the model speaks', async () => ((await asked(rule)).speaks ? true : undefined), {
    detail: service.logs,
  });

test('a worker that stops while the model answers ends that reply, the next worker continues it, and the caller is answered', async () => {
  const say = await openCall();
  const saying = say('to a worker');
  await speaking('to a worker');
  worker.child.kill('SIGTERM');
  const next = service.startWorker();
  expect(await saying).toEqual({ status: 200, said: slowWords });
  expect(await worker.ended).toMatchObject({ code: 0 });
  expect((await asked('to a worker')).count).toBe(1);
  worker = next;
});

test('an API that stops while a message is answered accepts no new connection, answers that message, and exits with 0', async () => {
  const say = await openCall();
  const saying = say('to the api');
  await speaking('to the api');
  service.api.child.kill('SIGTERM');
  await eventually(
    'new connections are refused',
    async () =>
      await fetch(`${service.apiUrl}/healthz`, { headers: { connection: 'close' } }).then(
        () => undefined,
        () => true,
      ),
  );
  expect(await saying).toEqual({ status: 200, said: slowWords });
  expect(await service.api.ended).toMatchObject({ code: 0 });
});
