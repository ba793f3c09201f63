import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { CreateToolRequest } from '../../../../src/contract/tools.ts';
import { columns, updateRows } from '../../../../src/db/rows.ts';
import { auditEvents } from '../../../../src/db/tables/audit-events.ts';
import { calls, type CallRow } from '../../../../src/db/tables/calls.ts';
import { campaigns } from '../../../../src/db/tables/campaigns.ts';
import { suppressions } from '../../../../src/db/tables/suppressions.ts';
import { initialCheckpoint } from '../../../../src/domain/call/checkpoint.ts';
import type { ExtractedValues } from '../../../../src/domain/extraction/answer.ts';
import { createTool } from '../../../../src/services/agents/index.ts';
import {
  finalizeCall,
  runTool,
  type ConversationDeps,
  type FinalizeDeps,
  type FetchDeps,
} from '../../../../src/services/calls/index.ts';
import { offeredTools } from '../../../../src/services/calls/turns/offered-tools.ts';
import { loadScene } from '../../../../src/services/calls/turns/scene.ts';
import { nodesOf } from '../../../../src/domain/graph/definition.ts';
import type { ServiceContext } from '../../../../src/services/kernel/context.ts';
import { admitTextCall, conversationDeps } from '../../../support/admitted-call.ts';
import { insertCampaign, targetsOf } from '../../../support/campaign-targets.ts';
import {
  createTestContext,
  createTestDatabase,
  databases,
  type TestDatabase,
} from '../../../support/database.ts';
import { threeStepDefinition } from '../../../support/definitions.ts';
import { createFakeCustomerHttp } from '../../../support/fake-customer-http.ts';

const phone = '15551230001';
const over = [{ state: 'failed', outcome: 'suppressed', dueAt: null, waitReason: null }];
const toDial = [{ state: 'queued', outcome: null, dueAt: null, waitReason: null }];

describe.each(databases)('a person who does not want to be called again, on %s,', (kind) => {
  let database: TestDatabase;
  let ctx: ServiceContext;
  let deps: ConversationDeps & FetchDeps & FinalizeDeps;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
  });
  afterAll(async () => await database.drop());
  beforeEach(async () => {
    ctx = await createTestContext(database.db);
    deps = { ...conversationDeps(ctx), http: createFakeCustomerHttp(), secrets: ctx.secrets };
  });

  const spoken = {
    channel: 'phone',
    mode: 'telnyx',
    direction: 'outbound',
    source: 'api_prod',
    calledNumber: phone,
    callerNumber: '+15557770001',
  } as const;

  /** A live call. */
  const begun = async (change: Partial<CallRow> = spoken): Promise<number> => {
    const { callId } = await admitTextCall({ ctx, definition: threeStepDefinition() });
    await updateRows(database.db.manager, calls, {
      where: { id: callId, organizationId: ctx.organizationId },
      change,
    });
    return callId;
  };
  const use = async (callId: number, action: string) => {
    const {
      description,
      icon,
      icon_color: iconColor,
      definition,
    } = CreateToolRequest.parse({ name: 'Off', definition: { type: 'native', config: { action } } });
    const { tool_uuid: toolUuid } = await createTool({
      ctx,
      input: { name: 'Off', description, icon, iconColor, definition },
    });
    const input = {
      callId,
      organizationId: ctx.organizationId,
      branch: 0,
      turnIndex: 1,
      callIndex: 0,
      call: { id: 'c1', name: 'off', argumentsText: '{}', values: {}, toolUuid },
    };
    return JSON.parse((await runTool({ deps, input, signal: new AbortController().signal })).result);
  };
  const end = async (callId: number, values: ExtractedValues) => {
    const place = {
      nodeId: 'start',
      visitIndex: 0,
      point: 'end' as const,
      throughTurnIndex: 0,
      throughLine: 1,
      branch: 0,
    };
    await finalizeCall({
      deps,
      input: {
        callId,
        organizationId: ctx.organizationId,
        reason: 'user_hangup',
        checkpoint: { ...initialCheckpoint, revision: 1 },
        extractions: [{ ...place, values, usage: null }],
        failedExtractions: [],
      },
    });
    return await database.db.getRepository(calls).findOneByOrFail({ id: callId });
  };
  const listed = async () =>
    (await database.db.getRepository(suppressions).findBy({ organizationId: ctx.organizationId })).map(
      ({ phone: number, source, callId, reason }) => ({ phone: number, source, callId, reason }),
    );
  const audited = async () =>
    await database.db
      .getRepository(auditEvents)
      .find({ where: { organizationId: ctx.organizationId, action: 'suppressions.added' } });

  // guarantee: opt-out-applies-during-call
  test('can opt out during the call: no campaign dials the number any longer, while the call continues', async () => {
    const campaign = await insertCampaign(database.db, ctx.organizationId, [{ phone }]);
    const foreign = await insertCampaign(database.db, (await createTestContext(database.db)).organizationId, [
      { phone },
    ]);
    const callId = await begun();
    expect(await use(callId, 'do_not_call')).toEqual({ status: 'success', data: { do_not_call: true } });
    expect(await listed()).toEqual([{ phone, source: 'call', callId, reason: '' }]);
    expect([await targetsOf(database.db, campaign), await targetsOf(database.db, foreign)]).toEqual([
      over,
      toDial,
    ]);
    expect(await database.db.getRepository(calls).findOneByOrFail({ id: callId })).toMatchObject({
      gatheredContext: { do_not_call: true },
    });
    const entries = await audited();
    expect(entries).toMatchObject([
      {
        subjectKind: 'call',
        subjectId: callId,
        actorKind: 'system',
        actorName: 'call',
        changes: { because: 'do_not_call', suppressed_targets: 1 },
      },
    ]);
    expect(JSON.stringify(entries)).not.toContain(phone);
    // The retry after a worker died after its commit.
    expect(await use(callId, 'do_not_call')).toEqual({ status: 'success', data: { do_not_call: true } });
    expect([await listed(), await audited()]).toMatchObject([[{ callId }], [{ subjectId: callId }]]);
  });

  // guarantee: campaign-call-offers-opt-out
  test("can opt out at every node of a campaign's call, even if its agent has no tool for it; other calls, and campaigns without opt-out, do not offer it", async () => {
    const campaign = await insertCampaign(database.db, ctx.organizationId, [{ phone }]);
    const offered = async (callId: number) => {
      const { versionId, organizationId } = await database.db
        .getRepository(calls)
        .findOneByOrFail({ id: callId });
      const scene = await loadScene({
        deps,
        input: { callId, organizationId, versionId },
        through: { branch: 0, turnIndex: -1 },
      });
      return (
        await Promise.all(
          nodesOf(scene.definition)
            .filter(({ type }) => type !== 'webhook')
            .map(async ({ id }) => await offeredTools({ deps, scene, nodeId: String(id) })),
        )
      ).map((tools) => tools.map(({ name, toolUuid }) => ({ name, toolUuid })));
    };
    const builtIn = { name: 'do_not_call', toolUuid: 'built_in:do_not_call' };
    const ofCampaign = await begun({ ...spoken, source: 'campaign', campaignId: campaign });
    const nodes = await offered(ofCampaign);
    expect(nodes.length).toBeGreaterThan(1);
    expect(nodes.every((tools) => tools.length === 1 && tools[0]?.toolUuid === builtIn.toolUuid)).toBe(true);
    expect((await offered(await begun())).flat()).toEqual([]);

    const input = {
      callId: ofCampaign,
      organizationId: ctx.organizationId,
      branch: 0,
      turnIndex: 1,
      callIndex: 0,
      call: { id: 'c1', name: 'do_not_call', argumentsText: '{}', values: {}, toolUuid: builtIn.toolUuid },
    };
    expect(JSON.parse((await runTool({ deps, input, signal: new AbortController().signal })).result)).toEqual(
      { status: 'success', data: { do_not_call: true } },
    );
    expect(await listed()).toEqual([{ phone, source: 'call', callId: ofCampaign, reason: '' }]);
    expect(await targetsOf(database.db, campaign)).toEqual(over);

    await database.db.getRepository(campaigns).update(
      { id: campaign },
      columns<object>({
        settings: {
          retry_config: null,
          max_concurrency: null,
          schedule_config: null,
          circuit_breaker: null,
          rules: { opt_out_tool: false },
        },
      }),
    );
    expect((await offered(ofCampaign)).flat()).toEqual([]);
  });

  test("is suppressed after a wrong number, too; in an incoming call it is the caller's number", async () => {
    const callId = await begun({
      ...spoken,
      direction: 'inbound',
      source: 'inbound',
      calledNumber: '+15557770001',
      callerNumber: '+49 30 901820',
    });
    expect(await use(callId, 'wrong_number')).toEqual({ status: 'success', data: { wrong_number: true } });
    expect(await listed()).toEqual([{ phone: '4930901820', source: 'wrong_number', callId, reason: '' }]);
  });

  test.each([
    ['in text', { channel: 'text' }],
    ['in a browser', { channel: 'web', calledNumber: phone }],
    ['without a number', { calledNumber: 'anonymous' }],
  ] as const)('is not suppressed %s, and the model gets an error', async (_where, change) => {
    const callId = await begun({ ...spoken, ...change });
    expect(await use(callId, 'do_not_call')).toMatchObject({
      status: 'error',
      error: expect.stringContaining('no phone number'),
    });
    await end(callId, { do_not_call: true });
    expect(await listed()).toEqual([]);
  });

  // guarantee: opt-out-read-from-transcript
  test.each([
    [{ do_not_call: true }, 'call'],
    [{ do_not_call: 'yes' }, 'call'],
    [{ wrong_number: true }, 'wrong_number'],
    [{ do_not_call: false, wrong_number: null }, null],
    [{ day: 'Monday' }, null],
  ] as [ExtractedValues, string | null][])(
    'is recognized from the extracted values of the ended call: %j',
    async (values, source) => {
      const campaign = await insertCampaign(database.db, ctx.organizationId, [{ phone }]);
      const callId = await begun();
      await end(callId, values);
      expect(await listed()).toEqual(source === null ? [] : [{ phone, source, callId, reason: '' }]);
      expect(await targetsOf(database.db, campaign)).toEqual(source === null ? toDial : over);
      expect(await audited()).toHaveLength(source === null ? 0 : 1);
    },
  );

  // guarantee: opt-out-survives-later-extraction
  test('stays suppressed when a later extraction says otherwise', async () => {
    const callId = await begun();
    await use(callId, 'do_not_call');
    const ended = await end(callId, { do_not_call: false });
    expect(ended.gatheredContext).toMatchObject({
      do_not_call: true,
      extracted_variables: { do_not_call: false },
    });
    expect(await listed()).toHaveLength(1);
    expect(await audited()).toHaveLength(1);
  });
});
