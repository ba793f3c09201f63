import { randomUUID } from 'node:crypto';
import { updateRows } from '../../src/db/rows.ts';
import { agentVersions } from '../../src/db/tables/agent-versions.ts';
import { calls, type CallRow } from '../../src/db/tables/calls.ts';
import { callSummaries } from '../../src/db/tables/call-summaries.ts';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { deliveryAttempts } from '../../src/db/tables/delivery-attempts.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { CreateToolRequest } from '../../src/contract/tools.ts';
import { deliveryWorkflowId } from '../../src/domain/temporal-ids.ts';
import { signWebhook } from '../../src/providers/http/webhook-signer.ts';
import { createTool, createAgent } from '../../src/services/agents/index.ts';
import type { ServiceContext } from '../../src/services/kernel/context.ts';
import { createErasureStarter } from '../../src/temporal/erasure-starter.ts';
import { createJudgingStarter } from '../../src/temporal/judging-starter.ts';
import { attemptDelivery } from '../../src/services/webhooks/index.ts';
import { at, createTenant, idAt, startApi, type ApiUnderTest } from './api-on-services.ts';
import type { CallWorld } from './call-world.ts';
import { testSecrets } from './database.ts';
import { edge, node } from './definitions.ts';
import { answered, type FakeCustomerHttp } from './fake-customer-http.ts';
import { createScriptedLlm } from './scripted-llm.ts';
import type { FakeLlm } from './fake-llm.ts';
import { until } from './until.ts';

/** A person whose data can be searched: `mark` is in everything they say, `digits` in their number. */
export interface MarkedPerson {
  mark: string;
  digits: string;
}

export const anna: MarkedPerson = { mark: 'Qz7Anna', digits: '15599887766' };
export const bert: MarkedPerson = { mark: 'Xk3Bert', digits: '15511223344' };
/** A mark is a capital, a small letter, a digit and a name. */
const personIn = (value: unknown): string =>
  /\b[A-Z][a-z]\d[A-Z][a-z]+/.exec(JSON.stringify(value))?.[0] ?? 'nobody';

/**
 * A model that repeats the person's mark wherever it can: in replies, tool arguments, summaries and extracted
 * values.
 */
export function createRepeatingLlm(): FakeLlm {
  return createScriptedLlm({
    before: (request, said) => {
      if (request.messages[0]?.content?.startsWith('Summarize the conversation') === true)
        return { text: `In short: ${personIn(request.messages)}` };
      const last = request.messages.at(-1);
      if (last?.role === 'tool') return { text: `I was told ${last.content}` };
      if (request.responseFormat === undefined && said.includes('use'))
        return { toolCalls: [{ name: 'place_order', arguments: { item: personIn(said) } }] };
      return said.includes('break') ? { fail: true } : undefined;
    },
    values: (request) => ({
      day: `Monday for ${personIn(request.messages)}`,
      tag_name: personIn(request.messages),
      call_disposition: `wish of ${personIn(request.messages)}`,
    }),
  });
}

/**
 * A tenant whose calls go through the API, with an agent that uses every feature that can store personal
 * data.
 */
export interface Tenant {
  ctx: ServiceContext;
  organizationUuid: string;
  agentId: number;
  api: ApiUnderTest;
  key: string;
}

export async function createTalkativeTenant(world: CallWorld): Promise<Tenant> {
  const { db } = world.ctx;
  const { organizationId, key } = await createTenant(db);
  const ctx = { ...world.ctx, organizationId };
  const definition = {
    type: 'http_api',
    config: {
      method: 'POST',
      url: 'https://shop.test/orders',
      parameters: [{ name: 'item', type: 'string', description: 'What' }],
    },
  };
  const {
    icon,
    icon_color: iconColor,
    definition: checked,
  } = CreateToolRequest.parse({ name: 'Place order', definition });
  const { tool_uuid: tool } = await createTool({
    ctx,
    input: { name: 'Place order', description: null, icon, iconColor, definition: checked },
  });
  const read = ['day', 'tag_name', 'call_disposition'].map((name) => ({
    name,
    type: 'string',
    prompt: name,
  }));
  const hook = (id: string) =>
    node(id, 'webhook', {
      name: id,
      endpoint_url: `https://receiver.test/${id}`,
      payload_template: { day: '{{gathered_context.day}}', number: '{{initial_context.phone_number}}' },
    });
  const graph = {
    nodes: [
      node('start', 'startCall', {
        name: 'Start',
        prompt: 'You greet {{name}}.',
        greeting: 'Hello {{name}}.',
      }),
      node('ask', 'agentNode', {
        name: 'Ask',
        prompt: 'You take orders of {{name}}.',
        tool_uuids: [tool],
        extraction_enabled: true,
        extraction_variables: read,
      }),
      node('bye', 'endCall', { name: 'Bye', prompt: 'You say goodbye.' }),
      hook('sent'),
      hook('waiting'),
    ],
    edges: [edge('e1', 'start', 'ask', 'go on'), edge('e2', 'ask', 'bye', 'done')],
  };
  const { id: agentId } = await createAgent({ ctx, input: { name: 'Talkative', definition: graph } });
  await updateRows(db.manager, agentVersions, {
    where: { agentId, organizationId },
    change: { settings: { context_compaction_enabled: true } },
  });
  const { uuid: organizationUuid } = await db
    .getRepository(organizations)
    .findOneByOrFail({ id: organizationId });
  const erasures = createErasureStarter({
    temporal: world.temporal,
    taskQueue: world.queues.delivery,
  });
  const judgings = createJudgingStarter({ temporal: world.temporal, taskQueue: world.queues.call });
  const api = await startApi(db, { calls: world.starter, erasures, judgings });
  return { ctx, organizationUuid, agentId, key, api };
}

export interface PersonCall {
  callId: number;
  row(): Promise<CallRow>;
}

interface Talk {
  world: CallWorld;
  tenant: Tenant;
  http: FakeCustomerHttp;
  person: MarkedPerson;
}

/**
 * A live conversation of a person, with a tool request, a failed turn, a discarded turn and a summary. Every
 * request has an idempotency key.
 */
export async function talk({
  world,
  tenant: { ctx, agentId, api, key },
  http,
  person: { mark, digits },
}: Talk): Promise<
  PersonCall & { ask: (path: string, body: object) => Promise<{ status: number; body: unknown }> }
> {
  const sessions = `/workflow/${agentId}/text-chat/sessions`;
  const post = async (path: string, body: object) =>
    await api.send(
      {
        'x-api-key': key,
        'idempotency-key': `key-of-${mark}-${randomUUID()}`,
        'x-request-id': `request-of-${mark}`,
      },
      'POST',
      path,
      body,
    );
  http.answerWith(answered(200, {}, JSON.stringify({ order_for: mark })));
  world.adjustInput((input) => ({ ...input, turnsPerRun: 4 }));
  const opened = await post(sessions, {
    name: `Call with ${mark}`,
    initial_context: {
      name: mark,
      phone_number: `+49 ${digits.slice(0, 3)} ${digits.slice(3)}`,
      backup: `+49${digits}`,
      ext_customer_id: `customer ${mark}`,
    },
    annotations: { note: mark },
  });
  const callId = Number(idAt(opened.body, 'workflow_run_id'));
  const row = () => ctx.db.getRepository(calls).findOneByOrFail({ id: callId });
  const ask = (path: string, body: object) => post(`${sessions}/${callId}/${path}`, body);
  const say = async (text: string) => await ask('messages', { text: `${text}, says ${mark}` });
  for (const text of ['one', 'two', 'three', 'go_on']) await say(text);
  await until('the summary', async () => (await ctx.db.getRepository(callSummaries).countBy({ callId })) > 0);
  const used = await say('use it');
  await say('break it');
  await say('not that');
  await ask('rewind', { cursor_turn_id: at(used.body, 'session_data', 'cursor_turn_id') });
  return { callId, row, ask };
}

/**
 * The same conversation to its end: one webhook was delivered; another one waits, and its Workflow is
 * running.
 */
export async function talkToTheEnd(parts: Talk): Promise<PersonCall> {
  const {
    world,
    tenant: { ctx, organizationUuid },
    http,
    person: { mark },
  } = parts;
  const call = await talk(parts);
  await call.ask('end', {});
  await until('the end', async () => (await call.row()).state === 'ended');
  const handed = await until('both webhooks', async () => {
    const rows = await ctx.db
      .getRepository(deliveries)
      .find({ where: { callId: call.callId }, order: { nodeId: 'ASC' } });
    return rows.length === 2 && rows.every(({ state, pumpAt }) => state === 'succeeded' && pumpAt === null)
      ? rows
      : undefined;
  });
  const deps = {
    db: ctx.db,
    clock: ctx.clock,
    ids: ctx.ids,
    log: ctx.log,
    secrets: testSecrets,
    http,
    sign: signWebhook,
    timeoutMs: 60_000,
  };
  for (const { id, uuid, nodeId } of handed) {
    http.answerWith(answered(nodeId === 'sent' ? 200 : 500, {}, `got it, ${mark}`));
    // The pump's receiver said nothing of the person; this one does.
    await ctx.db.getRepository(deliveryAttempts).delete({ deliveryId: id });
    await ctx.db.getRepository(deliveries).update({ uuid }, { state: 'pending', attemptCount: 0 });
    await attemptDelivery({ deps, input: { deliveryUuid: uuid, attempt: 1 } });
    if (nodeId === 'sent') continue;
    const workflowId = deliveryWorkflowId(uuid);
    await world.temporal.client.workflow.start('deliveryWorkflow', {
      workflowId,
      taskQueue: world.queues.delivery,
      args: [
        {
          deliveryUuid: uuid,
          callUuid: (await call.row()).uuid,
          organizationUuid,
          startedAttempt: 2,
          schedule: [600_000],
        },
      ],
    });
  }
  return call;
}
