import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { edge, node } from '../support/definitions.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startWholeService, type WholeService } from '../support/whole-service.ts';

/**
 * A tool's side effect while its worker is killed. Checked by the requests at the customer's server and by
 * the answer to the model.
 */

const Made = z.object({ id: z.int() });
const Tool = z.object({ tool_uuid: z.string() });
const Session = z.object({
  workflow_run_id: z.int(),
  revision: z.int(),
  session_data: z.object({
    turns: z.array(z.object({ assistant_message: z.object({ text: z.string() }).nullable() })),
  }),
});

let service: WholeService;
let receiver: Receiver;

beforeAll(async () => {
  service = await startWholeService({ env: { PARLANCE_LOG_LEVEL: 'warn' } });
  receiver = await startReceiver();
  const rules = [
    {
      name: 'told unknown',
      when: { toolResult: 'unknown' },
      answer: { say: 'I do not know whether it worked.' },
    },
    { name: 'told success', when: { toolResult: 'success' }, answer: { say: 'It worked.' } },
    {
      name: 'order',
      when: { userText: 'order' },
      answer: { call: { tool: 'place_order', arguments: { item: 'tea' } } },
    },
  ];
  const added = await fetch(new URL('/emulator/rules', service.llmUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer simulated' },
    body: JSON.stringify({ scope: 'simulated', rules }),
  });
  if (added.status !== 201) throw new Error(`the rules were not taken: ${added.status}`);
});

afterAll(async () => {
  await receiver.close();
  await service.stop();
});

async function openCall(path: string): Promise<{ say(): Promise<string | undefined> }> {
  const definition = {
    type: 'http_api',
    config: {
      method: 'POST',
      url: `${receiver.url}${path}`,
      timeout_ms: 10_000,
      parameters: [{ name: 'item', type: 'string', description: 'What to order' }],
    },
  };
  const { tool_uuid: uuid } = Tool.parse(
    (await service.request('POST', '/tools/', { name: 'Place order', definition })).body,
  );
  const graph = {
    nodes: [
      node('s', 'startCall', {
        name: 'Start',
        prompt: 'You take orders.',
        greeting: 'Hello.',
        tool_uuids: [uuid],
      }),
      node('e', 'endCall', { name: 'End', prompt: 'Bye.' }),
    ],
    edges: [edge('s-e', 's', 'e', 'done')],
  };
  const { id } = Made.parse(
    (
      await service.request('POST', '/workflow/create/definition', {
        name: 'Orders',
        workflow_definition: graph,
      })
    ).body,
  );
  const sessions = `/workflow/${id}/text-chat/sessions`;
  const opened = Session.parse((await service.request('POST', sessions, {})).body);
  return {
    say: async () => {
      const answer = await service.request('POST', `${sessions}/${opened.workflow_run_id}/messages`, {
        text: 'order tea',
        expected_revision: opened.revision,
      });
      return Session.parse(answer.body).session_data.turns.at(-1)?.assistant_message?.text;
    },
  };
}

const received = (path: string) =>
  receiver.requests.filter((request) => request.path === path).map(({ body }) => body);

/** A worker that lives until the call is open, then one that dies at the point, then one that finishes. */
async function sayWhile(
  path: string,
  kill: (saying: Promise<unknown>) => Promise<void>,
): Promise<string | undefined> {
  const first = service.startWorker();
  const call = await openCall(path);
  await first.stop();
  const saying = call.say();
  await kill(saying);
  const last = service.startWorker();
  const said = await saying;
  await last.stop();
  return said;
}

test.each(['before runTool', 'after runTool'])(
  'after a worker was killed %s, the request is sent once, and the model learns that it succeeded',
  async (point) => {
    const path = `/${point.replace(' ', '-')}`;
    const said = await sayWhile(path, async () => {
      const { signal } = await service.startWorker('test/support/chaos/worker.ts', { CHAOS_POINTS: point })
        .ended;
      expect(signal).toBe('SIGKILL');
    });
    expect(said).toBe('It worked.');
    expect(received(path)).toEqual(['{"item":"tea"}']);
  },
);

test('a tool request is never sent again after its worker was killed before the answer, and the model learns that the outcome is unknown', async () => {
  receiver.answerWith(() => ({ kind: 'hang' }));
  const path = '/killed-meanwhile';
  const said = await sayWhile(path, async () => {
    const worker = service.startWorker();
    await receiver.waitForRequests(receiver.requests.length + 1);
    worker.child.kill('SIGKILL');
    await worker.ended;
  });
  expect(said).toBe('I do not know whether it worked.');
  expect(received(path)).toEqual(['{"item":"tea"}']);
});
