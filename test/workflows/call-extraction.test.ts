import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Context } from '@temporalio/activity';
import { deliveries } from '../../src/db/tables/deliveries.ts';
import { callWorkflowId } from '../../src/domain/temporal-ids.ts';
import { prepareDeliveries } from '../../src/services/calls/index.ts';
import { neverChosen } from '../support/admitted-call.ts';
import { createCallWorld, type CallWorld } from '../support/call-world.ts';
import { edge, node, threeStepDefinition } from '../support/definitions.ts';
import { createGate, createScriptedLlm, lastWords } from '../support/scripted-llm.ts';
import { until } from '../support/until.ts';

const asked: string[] = [];
const held = { gate: createGate(), first: false };
const answers: { broken: boolean } = { broken: false };

/** Extracts `n`, the number of user lines in the request; the first extraction of a held test waits. */
const llm = createScriptedLlm({
  before: async (request) => {
    if (request.responseFormat === undefined) return undefined;
    const point = Context.current().info.activityId;
    asked.push(point);
    if (answers.broken) return { text: 'I would rather not answer as JSON' };
    const seen = (lastWords(request).match(/^user:/gm) ?? []).length;
    if (held.first && seen === 1) {
      held.first = false;
      await held.gate.wait();
    }
    return { text: JSON.stringify({ day: `after ${seen}`, early: seen === 1 ? 'kept' : null, never: null }) };
  },
});
let world: CallWorld;

beforeAll(async () => {
  world = await createCallWorld({ llm });
  await world.startWorker();
});

afterAll(async () => {
  await world.close();
});

describe('extraction', () => {
  test('never overwrites a later result with a slow early one, and never delays a turn', async () => {
    held.gate = createGate();
    held.first = true;
    const session = await world.open(threeStepDefinition({ webhook: false }));
    await session.say('go_on', 1);
    await held.gate.reached;
    expect((await session.say('nothing', 2)).revision).toBe(3);
    await session.say('done', 3);
    held.gate.open();
    expect((await session.completed()).gathered_context).toMatchObject({ day: 'after 3' });
  });

  test('a fresh run of a call begins only after pending extractions have ended, so that none is lost', async () => {
    held.gate = createGate();
    held.first = true;
    world.adjustInput((input) => ({ ...input, turnsPerRun: 1 }));
    const read = { extraction_enabled: true, extraction_variables: [{ name: 'early', type: 'string' }] };
    const session = await world.open({
      nodes: [
        node('start', 'startCall', { name: 'Start', prompt: 'Start.', greeting: 'Hi.' }),
        node('ask', 'agentNode', { name: 'Ask', prompt: 'Ask.', ...read }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'Bye.' }),
      ],
      edges: [edge('e1', 'start', 'ask', 'go on'), edge('e2', 'ask', 'bye', 'done')],
    });
    world.adjustInput((input) => input);
    await session.say('go_on', 1);
    await held.gate.reached;
    await session.say('nothing', 2);
    await new Promise((resolve) => setTimeout(resolve, 300));
    held.gate.open();
    await session.say('done', 3);
    expect((await session.completed()).gathered_context).toMatchObject({ early: 'kept' });
  });

  test('an end that arrives while a call waits for a fresh run ends the call', async () => {
    held.gate = createGate();
    held.first = true;
    world.adjustInput((input) => ({ ...input, turnsPerRun: 1 }));
    const session = await world.open(threeStepDefinition({ webhook: false }));
    world.adjustInput((input) => input);
    await session.say('go_on', 1);
    await session.say('again', 2);
    await session.say('nothing', 3);
    await held.gate.reached;
    const ending = session.end();
    const { workflow } = world.temporal.client;
    await until('the end to be accepted', async () => {
      const { events } = await workflow.getHandle(callWorkflowId(session.callUuid)).fetchHistory();
      return events?.some(
        ({ workflowExecutionUpdateAcceptedEventAttributes: accepted }) =>
          accepted?.acceptedRequest?.input?.name === 'endSession',
      );
    });
    held.gate.open();
    expect(await ending).toMatchObject({
      is_completed: true,
      gathered_context: { call_disposition: 'user_hangup' },
    });
  });

  test('runs for the last node again at the end of a call, over the whole transcript', async () => {
    const session = await world.open(threeStepDefinition({ webhook: false }));
    await session.say('go_on', 1);
    await session.say('Tuesday', 2);
    expect((await session.end(3)).gathered_context).toMatchObject({
      day: 'after 2',
      extracted_variables: { day: 'after 2' },
    });
  });

  test('starts no extraction after an operator has canceled the call', async () => {
    const session = await world.open(threeStepDefinition({ webhook: false }));
    await session.say('go_on', 1);
    await session.say('Tuesday', 2);
    const before = asked.length;
    await world.temporal.client.workflow.getHandle(callWorkflowId(session.callUuid)).cancel();
    expect((await session.completed()).gathered_context).toMatchObject({
      call_disposition: 'system_cancelled',
    });
    expect(asked.slice(before)).toEqual([]);
  });

  test('runs once for an End Call node, including its goodbye', async () => {
    const read = {
      extraction_enabled: true,
      extraction_variables: [
        { name: 'day', type: 'string' },
        { name: 'never', type: 'number' },
      ],
    };
    const session = await world.open({
      nodes: [
        node('start', 'startCall', { name: 'Start', prompt: 'Start.', greeting: 'Hi.' }),
        node('bye', 'endCall', { name: 'Bye', prompt: 'Bye.', ...read }),
      ],
      edges: [edge('e', 'start', 'bye', 'done')],
    });
    const before = asked.length;
    await session.say('done', 1);
    expect((await session.completed()).gathered_context).toMatchObject({ day: 'after 1', never: null });
    expect(asked.length - before).toBe(1);
  });

  // guarantee: unreadable-extraction-stores-nothing
  test('an answer without JSON stores nothing, is logged with the call, and does not end it', async () => {
    answers.broken = true;
    const session = await world.open(threeStepDefinition({ webhook: false }));
    await session.say('go_on', 1);
    await session.say('done', 2);
    await session.completed();
    answers.broken = false;
    const { gatheredContext, logs } = await session.row();
    expect(gatheredContext).not.toHaveProperty('day');
    expect(JSON.stringify(logs)).toContain('"type":"extraction_failed"');
  });

  test('adds its tokens to those of the replies', async () => {
    const session = await world.open(threeStepDefinition({ webhook: false }));
    await session.say('go_on', 1);
    await session.say('done', 2);
    await session.completed();
    const { usage } = await session.row();
    expect(usage).toMatchObject({
      llm: {
        'simulated|||test-model': {
          prompt_tokens: expect.any(Number),
          completion_tokens: expect.any(Number),
        },
      },
      call_duration_seconds: expect.any(Number),
    });
  });
});

describe('webhooks of a call', () => {
  // guarantee: webhook-rendered-once
  test('are rendered once: a repeated rendering adds nothing and changes no byte', async () => {
    const session = await world.open(threeStepDefinition());
    await session.end(1);
    const rows = () => world.ctx.db.getRepository(deliveries).findBy({ callId: session.callId });
    const before = await until('the rendering, and all that follows', async () => {
      const found = await rows();
      return found.length > 0 && found.every(({ state }) => state === 'succeeded') ? found : undefined;
    });
    expect(before).toHaveLength(1);
    const deps = {
      ...world.ctx,
      llm,
      model: 'test-model',
      customerLlms: neverChosen,
      publicUrl: 'http://other.test',
    };
    const again = await prepareDeliveries({
      deps,
      input: { callId: session.callId, organizationId: world.ctx.organizationId },
    });
    expect(again).toBe(1);
    expect(await rows()).toEqual(before);
  });

  test('contain the ended call and a link with its public token', async () => {
    const definition = threeStepDefinition({ webhook: false });
    const template = {
      'n {{workflow_run_name}}': ['{{initial_context.who}}', 5, null],
      call_disposition: 'mine',
      took: '{{cost_info.call_duration_seconds}}',
      link: '{{transcript_url}}',
      agent: '{{workflow_name}}',
    };
    const hooks = [
      node('hook', 'webhook', {
        name: 'Hook',
        endpoint_url: 'https://receiver.test/hook',
        http_method: 'PUT',
        payload_template: template,
        custom_headers: [{ key: 'X-A', value: '{{raw}}' }],
      }),
      node('off', 'webhook', { name: 'Off', enabled: false, endpoint_url: 'https://receiver.test/off' }),
      node('nowhere', 'webhook', { name: 'Nowhere' }),
      node('get', 'webhook', { name: 'Get', endpoint_url: 'https://receiver.test/get', http_method: 'GET' }),
    ];
    const nodes = definition['nodes'];
    const session = await world.open(
      { ...definition, nodes: [...(Array.isArray(nodes) ? nodes : []), ...hooks] },
      { who: '{{braces}}' },
    );
    await session.end(1);
    const { name, publicToken, usage } = await session.row();
    const [put, get, ...others] = await until('the rendering', async () => {
      const rows = await world.ctx.db
        .getRepository(deliveries)
        .find({ where: { callId: session.callId }, order: { id: 'ASC' } });
      return rows.length > 0 ? rows : undefined;
    });
    expect(others).toEqual([]);
    expect(put).toMatchObject({ nodeId: 'hook', method: 'PUT', headers: [{ key: 'X-A', value: '{{raw}}' }] });
    expect(JSON.parse(put?.body ?? '')).toEqual({
      [`n ${name}`]: ['{{braces}}', 5, null],
      call_disposition: 'mine',
      took: String(usage['call_duration_seconds']),
      link: `http://parlance.test/api/v1/public/download/workflow/${publicToken}/transcript`,
      agent: 'Test agent',
    });
    expect(get).toMatchObject({ nodeId: 'get', method: 'GET', body: null });
  });
});
