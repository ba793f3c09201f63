import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Rule } from '../../emulators/llm/rules.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { updateRows } from '../../src/db/rows.ts';
import { failedTurns } from '../../src/db/tables/failed-turns.ts';
import { modelConfigurations } from '../../src/db/tables/model-configurations.ts';
import { createGuardedClient, type GuardedClient } from '../../src/providers/http/guarded-client.ts';
import { createCustomerLlms } from '../../src/providers/llm/customer.ts';
import { createOpenAiLlm } from '../../src/providers/llm/openai.ts';
import { publishDraft, updateAgent } from '../../src/services/agents/index.ts';
import { saveModelConfiguration } from '../../src/services/models/index.ts';
import { createTextSession } from '../../src/services/calls/index.ts';
import { createCallWorld, sessionOf, type CallWorld, type OpenSession } from '../support/call-world.ts';
import { createTestContext } from '../support/database.ts';
import { edge, node } from '../support/definitions.ts';
import { startLlmBench, type LlmBench } from '../support/llm-emulator.ts';
import { scanHistories } from '../support/scan.ts';
import { until } from '../support/until.ts';

const extraction = {
  extraction_enabled: true,
  extraction_prompt: '',
  extraction_variables: [{ name: 'day', type: 'string', prompt: 'the day' }],
};
const graph = (greeting: string | null) => ({
  nodes: [
    node('start', 'startCall', { name: 'Start', prompt: 'Talk.', greeting, ...extraction }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
    node('qa', 'qa', { name: 'QA', qa_min_call_duration: 0 }),
  ],
  edges: [edge('e', 'start', 'bye', 'done')],
});

/** Both vendors answer in the same way; their logs show which was asked. */
const judgment = { call_quality_score: 8, overall_sentiment: 'neutral', summary: 'Simulated.', tags: [] };
const rules: Rule[] = [
  {
    name: 'judgment',
    when: { systemText: 'You judge', wantsJson: true },
    answer: { say: JSON.stringify(judgment) },
  },
  { name: 'values', when: { wantsJson: true }, answer: { read: { day: [{ pattern: '(Friday)' }] } } },
  { name: 'reply', when: { wantsJson: false }, answer: { say: 'Which day?' } },
];

/** Real calls over real Temporal, MySQL and two simulated vendors: the installation's and a customer's. */
describe('the language model of a call', () => {
  let [installed, brought]: LlmBench[] = [];
  let http: GuardedClient;
  let world: CallWorld;
  let installedKey: string;

  beforeAll(async () => {
    [installed, brought] = [await startLlmBench(), await startLlmBench()];
    http = createGuardedClient({ allowHttp: true, allowedPrivateHosts: ['127.0.0.1:*'] });
    installedKey = `simulated-installed-${randomUUID()}`;
    for (const { emulator } of Object.values(benches())) emulator.rules.add(rules);
    world = await createCallWorld({
      llm: createOpenAiLlm({ apiKey: installedKey, baseUrl: benches().installed.emulator.url }),
    });
    await world.startWorker({
      deps: {
        model: 'installed-model',
        customerLlms: createCustomerLlms({ http, addresses: { groq: benches().brought.emulator.url } }),
      },
    });
  });
  afterEach(async () => {
    await world.ctx.db.getRepository(modelConfigurations).clear();
    for (const { emulator } of Object.values(benches())) emulator.log.clear();
  });
  afterAll(async () => {
    await world.close();
    await Promise.all([http.close(), installed?.close(), brought?.close()]);
  });

  function benches(): { installed: LlmBench; brought: LlmBench } {
    if (installed === undefined || brought === undefined) throw new Error('not started');
    return { installed, brought };
  }
  const freshKey = (whose: string) => `simulated-${whose}-${randomUUID()}`;
  /** The requests: address, key and model. */
  const asked = () =>
    Object.entries(benches()).flatMap(([at, { emulator }]) =>
      emulator.log.entries().map(({ key, request }) => ({
        at,
        key,
        model:
          typeof request === 'object' && request !== null && 'model' in request ? request.model : undefined,
      })),
    );
  const own = (model: string, apiKey: string) => ({
    provider: 'openai_compatible',
    model,
    api_key: apiKey,
    base_url: benches().brought.emulator.url,
  });
  const configuration = (llm: ReturnType<typeof own>) => ({
    mode: 'byok' as const,
    byok: { mode: 'pipeline' as const, pipeline: { llm } },
  });
  const bring = (llm: ReturnType<typeof own>) =>
    saveModelConfiguration({ ctx: world.ctx, input: configuration(llm) });

  async function open(
    settings: Record<string, unknown>,
    greeting: string | null = null,
  ): Promise<OpenSession> {
    const agentId = await world.createAgent(graph(greeting));
    if (Object.keys(settings).length > 0) {
      await updateAgent({ ctx: world.ctx, input: { agentId, settings } });
      await publishDraft({ ctx: world.ctx, input: { agentId } });
    }
    const opening = await createTextSession({
      ctx: world.ctx,
      deps: { calls: world.starter },
      input: { agentId, initialContext: {}, annotations: {} },
    });
    return await sessionOf({ ctx: world.ctx, starter: world.starter, agentId, opening });
  }

  /** Waits until the call has ended and sends no more requests. */
  async function judged(session: OpenSession): Promise<void> {
    await session.end();
    await until('the judgment', async () =>
      Object.hasOwn((await session.row()).annotations, 'qa_qa') ? true : undefined,
    );
  }

  const [agentKey, fieldsKey, organizationKey] = [
    freshKey('agent'),
    freshKey('fields'),
    freshKey('organization'),
  ];
  const levels = [
    ['the installation', null, {}, () => ({ at: 'installed', key: installedKey, model: 'installed-model' })],
    [
      'the organization',
      organizationKey,
      {},
      () => ({ at: 'brought', key: organizationKey, model: 'org-model' }),
    ],
    [
      "the agent, over a field of the organization's",
      organizationKey,
      { model_overrides: { llm: { model: 'field-model' } } },
      () => ({ at: 'brought', key: organizationKey, model: 'field-model' }),
    ],
    [
      "the agent, with a key in place of the organization's",
      organizationKey,
      { model_overrides: { llm: { api_key: fieldsKey } } },
      () => ({ at: 'brought', key: fieldsKey, model: 'org-model' }),
    ],
    [
      'the agent, as a whole',
      organizationKey,
      {
        model_overrides: { llm: { model: 'field-model' } },
        model_configuration_v2_override: {
          mode: 'byok',
          byok: {
            mode: 'pipeline',
            pipeline: { llm: { provider: 'groq', model: 'agent-model', api_key: agentKey } },
          },
        },
      },
      () => ({ at: 'brought', key: agentKey, model: 'agent-model' }),
    ],
  ] as const;

  // guarantee: model-keys-kept-out-of-temporal
  test.each(levels)(
    'chosen by %s is used for every reply, extraction and judgment, is counted under its name, and its key is not in Temporal',
    async (_who, key, settings, expected) => {
      if (key !== null) await bring(own('org-model', key));
      const session = await open(settings);
      await session.say('Friday');
      await judged(session);
      const who = expected();
      expect(asked().length).toBeGreaterThanOrEqual(4);
      for (const each of asked()) expect(each).toEqual(who);

      const row = await session.row();
      expect(row.initialContext['runtime_configuration']).toEqual({
        llm_provider: 'simulated',
        llm_model: who.model,
      });
      expect(Object.keys(Object(row.usage['llm']))).toContain(`simulated|||${who.model}`);
      expect(JSON.stringify(row.logs)).not.toContain('test-model');
      const { uuid } = await world.ctx.db
        .getRepository(organizations)
        .findOneByOrFail({ id: world.ctx.organizationId });
      expect(await scanHistories(world.temporal, uuid, ['Which day?'])).not.toEqual([]);
      expect(await scanHistories(world.temporal, uuid, [who.key])).toEqual([]);
    },
  );

  test('may change during a call: the next turn uses the new key', async () => {
    const [first, second] = [freshKey('first'), freshKey('second')];
    await bring(own('one', first));
    const session = await open({});
    await bring(own('two', second));
    await session.say('Friday');
    expect(
      asked()
        .map(({ key, model }) => ({ key, model }))
        .slice(0, 2),
    ).toEqual([
      { key: first, model: 'one' },
      { key: second, model: 'two' },
    ]);
    await judged(session);
    expect(Object.keys(Object((await session.row()).usage['llm'])).toSorted()).toEqual([
      'QAAnalysis|||two',
      'simulated|||one',
      'simulated|||two',
    ]);
  });

  test('is asked once when its key is refused: the turn fails with the reason, and the conversation continues with the next key', async () => {
    await bring(own('m', 'not-simulated'));
    const session = await open({}, 'Hello.');
    await expect(session.say('Friday')).rejects.toMatchObject({ code: 'provider' });
    expect(benches().brought.emulator.log.entries()).toHaveLength(1);
    const [failure] = await world.ctx.db.getRepository(failedTurns).findBy({ callId: session.callId });
    expect(JSON.stringify(failure)).toContain('The language model refused the API key: HTTP 401');
    await bring(own('m', freshKey('better')));
    expect((await session.say('Friday')).session_data).toMatchObject({
      turns: expect.arrayContaining([
        expect.objectContaining({ assistant_message: expect.objectContaining({ text: 'Which day?' }) }),
      ]),
    });
  });

  // guarantee: model-used-by-own-organization
  test('is never that of another organization', async () => {
    const other = await createTestContext(world.ctx.db);
    const theirs = freshKey('theirs');
    await saveModelConfiguration({ ctx: other, input: configuration(own('theirs', theirs)) });
    const session = await open({});
    await session.say('Friday');
    expect(asked().map(({ key }) => key)).toEqual([installedKey, installedKey]);
    // Not even when its encrypted document is moved into this organization's row.
    const [row] = await world.ctx.db
      .getRepository(modelConfigurations)
      .findBy({ organizationId: other.organizationId });
    await bring(own('mine', freshKey('mine')));
    await updateRows(world.ctx.db.manager, modelConfigurations, {
      where: { organizationId: world.ctx.organizationId },
      change: { configurationEncrypted: row?.configurationEncrypted ?? '' },
    });
    await expect(session.say('Monday')).rejects.toMatchObject({ code: expect.any(String) });
    expect(asked().map(({ key }) => key)).not.toContain(theirs);
  });
});
