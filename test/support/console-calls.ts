import { z } from 'zod';
import type { PersonaInput } from '../../emulators/carrier/persona.ts';
import { demoAgent, demoTriggerPath, type DemoNode } from '../../tools/demo/agent.ts';
import { callersLines } from '../../tools/demo/script.ts';
import { completeGraph } from './api-on-services.ts';
import type { ConsoleWorld } from './console.ts';
import { until } from './until.ts';

const Made = z.looseObject({ id: z.int() });
const Session = z.looseObject({ workflow_run_id: z.int(), is_completed: z.boolean() });
const Run = z.looseObject({
  is_completed: z.boolean(),
  recording_public_url: z.string().nullable(),
  annotations: z.looseObject({}).nullable(),
});

/** A call by the ids of its page. */
export interface MadeCall {
  agentId: number;
  runId: number;
}

/** Calls of every kind for the screens of calls. */
export interface MadeCalls {
  /** A simulated phone call to its end, with recording, extracted values, a judgment and a webhook. */
  phone: MadeCall;
  /** A text session to its end. */
  text: MadeCall;
  /** A text session that goes on. */
  live: MadeCall;
  /** A call to a busy line. */
  unanswered: MadeCall;
}

/** Says two things, interrupts the agent once and hangs up, so that the call is short. */
const hurried: PersonaInput = {
  name: 'Maria',
  steps: [
    { do: 'ring', ms: 200 },
    { do: 'answer' },
    {
      do: 'converse',
      rules: [
        { heard: 'good moment', say: callersLines[0] },
        { heard: 'as planned', say: callersLines[1] },
      ],
      otherwise: null,
      turns: 2,
    },
    { do: 'interrupt', text: callersLines[2], atAgentWord: 'suit you' },
    { do: 'expectHeard', pattern: 'is that right' },
    { do: 'hangup' },
  ],
};

/**
 * Publishes the agent of the demonstration, and makes calls with it and with another agent, over the connection
 * of `connectCarrier`. The people behind the
 * two numbers are the same for every world that uses them.
 */
export async function makeCalls(world: ConsoleWorld, webhookUrl: string): Promise<MadeCalls> {
  const { ask } = world;
  const {
    template_context_variables: values,
    workflow_configurations: settings,
    ...demo
  } = demoAgent({
    webhookUrl,
  });
  const { nodes, edges } = demo.workflow_definition;
  const { id: agentId } = Made.parse(
    await ask('POST', '/workflow/create/definition', {
      ...demo,
      workflow_definition: { nodes: nodes.map((each) => withOwnPath(each, world.mark)), edges },
    }),
  );
  await ask('PUT', `/workflow/${agentId}`, {
    template_context_variables: values,
    workflow_configurations: settings,
  });
  await ask('POST', `/workflow/${agentId}/publish`);
  await world.service.carrier.setPersonas('+12025550142', [hurried]);
  const phone = { agentId, runId: await dial(world, agentId, '12025550142') };
  const text = { agentId, runId: await openSession(world, agentId) };
  for (const line of callersLines) await say(world, text, line);
  const live = { agentId, runId: await openSession(world, agentId) };
  await say(world, live, callersLines[0]);
  const { id: otherId } = Made.parse(
    await ask('POST', '/workflow/create/definition', {
      name: 'Delivery follow-up',
      workflow_definition: completeGraph('Hello, your parcel comes today.'),
    }),
  );
  await world.service.carrier.setPersonas('+12025550143', [
    { name: 'Busy', steps: [{ do: 'ring', ms: 200 }, { do: 'busy' }] },
  ]);
  const unanswered = { agentId: otherId, runId: await dial(world, otherId, '12025550143') };
  for (const each of [text, phone, unanswered]) await ended(world, each);
  await until('the recording and the judgment', async () => {
    const run = await read(world, phone);
    return run.recording_public_url !== null && run.annotations?.['qa_quality'] !== undefined
      ? true
      : undefined;
  });
  return { phone, text, live, unanswered };
}

/** The path of a trigger is unique across the service. */
const withOwnPath = (node: DemoNode, mark: string): DemoNode =>
  node.type === 'trigger'
    ? { ...node, data: { ...node.data, trigger_path: `${demoTriggerPath}${mark}` } }
    : node;

/** Connects the organization to the simulated carrier, with one number. */
export async function connectCarrier({
  ask,
  service,
  mark,
}: Pick<ConsoleWorld, 'ask' | 'service' | 'mark'>): Promise<void> {
  const { publicKey } = z
    .object({ publicKey: z.string() })
    .parse(await (await fetch(`${service.carrier.url}/emulator/public-key`)).json());
  const { id } = Made.parse(
    await ask('POST', '/organizations/telephony-configs', {
      name: 'Simulated carrier',
      is_default_outbound: true,
      config: { provider: 'telnyx', api_key: `simulated-key${mark}`, webhook_public_key: publicKey },
    }),
  );
  await ask('POST', `/organizations/telephony-configs/${id}/phone-numbers`, {
    address: '+12025550100',
    is_default_caller_id: true,
  });
}

async function dial({ ask }: ConsoleWorld, agentId: number, number: string): Promise<number> {
  const answer = await ask('POST', '/telephony/initiate-call', {
    workflow_id: agentId,
    phone_number: number,
    initial_context: { first_name: 'Maria', appointment_day: 'Tuesday, 24 November' },
  });
  return z.looseObject({ workflow_run_id: z.int() }).parse(answer).workflow_run_id;
}

const openSession = async ({ ask }: ConsoleWorld, agentId: number): Promise<number> =>
  Session.parse(await ask('POST', `/workflow/${agentId}/text-chat/sessions`, {})).workflow_run_id;

/** Sends a message to a text session. */
export const say = async (
  { ask }: ConsoleWorld,
  { agentId, runId }: MadeCall,
  text: string,
): Promise<unknown> =>
  await ask('POST', `/workflow/${agentId}/text-chat/sessions/${runId}/messages`, { text });

const read = async ({ ask }: ConsoleWorld, { agentId, runId }: MadeCall) =>
  Run.parse(await ask('GET', `/workflow/${agentId}/runs/${runId}`));

const ended = async (world: ConsoleWorld, call: MadeCall): Promise<void> =>
  void (await until('the end of the call', async () =>
    (await read(world, call)).is_completed ? true : undefined,
  ));
