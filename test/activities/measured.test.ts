import { describe, expect, test } from '@jest/globals';
import { ApplicationFailure, CancelledFailure } from '@temporalio/common';
import type { CallActivities, CommitTurnInput } from '../../src/activities/call.ts';
import type { DeliveryActivities } from '../../src/activities/delivery.ts';
import {
  activityFailureCodes,
  measuredCallActivities,
  measuredCampaignActivities,
  measuredDeliveryActivities,
  measuredRetentionActivities,
} from '../../src/activities/measured.ts';
import { targetOutcomes } from '../../src/domain/campaign/outcome.ts';
import { dispositions } from '../../src/domain/call/dispositions.ts';
import { initialCheckpoint } from '../../src/domain/call/checkpoint.ts';
import { createPrometheus } from '../../src/runtime/prometheus.ts';
import { sumOf } from '../support/metrics-text.ts';

const never = (): never => {
  throw new Error('not part of this test');
};
const callActivities: CallActivities = {
  admitCall: () => Promise.resolve({ kind: 'admitted', startedAt: '2026-11-21T10:00:00.000Z' }),
  converse: never,
  commitTurn: () => Promise.resolve(),
  noteFailedTurn: () => Promise.resolve(null),
  extract: () => Promise.resolve({ values: {}, usage: null }),
  finalizeCall: () => Promise.resolve({ disposition: 'user_hangup', durationSec: 3, webhooks: 0 }),
  judgeCall: () => Promise.resolve({ kind: 'judged', score: 8 }),
  giveUpJudgment: () => Promise.resolve({ kind: 'failed', error: 'given up' }),
  closeJudging: () => Promise.resolve('judged'),
  prepareDeliveries: () => Promise.resolve(0),
  fetchBeforeCall: never,
  summarize: never,
  runTool: never,
  rewindSession: never,
};
const deliveryActivities: DeliveryActivities = {
  attemptDelivery: () => Promise.resolve({ kind: 'succeeded', host: 'hooks.example.com', statusCode: 200 }),
  scheduleNextAttempt: () => Promise.resolve(),
  giveUpDelivery: () => Promise.resolve(),
};

function world() {
  const { metrics, allow, scrape } = createPrometheus({
    role: 'worker',
    labelValues: { disposition: dispositions, code: activityFailureCodes, target_outcome: targetOutcomes },
  });
  allow('activity', [...Object.keys(callActivities), ...Object.keys(deliveryActivities)]);
  return {
    calls: (changes: Partial<CallActivities> = {}) =>
      measuredCallActivities({ ...callActivities, ...changes }, metrics),
    campaigns: () =>
      measuredCampaignActivities(
        {
          paceCampaign: () =>
            Promise.resolve({
              kind: 'goes_on',
              state: 'running',
              reason: null,
              until: null,
              counts: { queued: 0, waiting: 0, processing: 7, processed: 0, failed: 0 },
              dialed: 7,
              sleepMs: 0,
              needsAttention: false,
            }),
        },
        metrics,
      ),
    deliveries: (changes: Partial<DeliveryActivities> = {}) =>
      measuredDeliveryActivities({ ...deliveryActivities, ...changes }, metrics),
    sum: async (name: string, labels: Record<string, string> = {}) =>
      sumOf((await scrape()).text, name, labels),
  };
}

const ref = { callId: 1, organizationId: 1 };
const ended = {
  ...ref,
  reason: 'user_hangup' as const,
  checkpoint: initialCheckpoint,
  extractions: [],
  failedExtractions: [],
};
const failure = (type: string) => Promise.reject(ApplicationFailure.create({ type, message: 'refused' }));

function committed(changes: Partial<CommitTurnInput>): CommitTurnInput {
  return {
    ...ref,
    checkpoint: initialCheckpoint,
    failures: 0,
    from: null,
    lines: [],
    steps: [],
    isOver: false,
    ...changes,
  };
}

describe('activities of a call', () => {
  test("split a turn into the model's time and our own", async () => {
    const { calls, sum } = world();
    const said = {
      speaker: 'user' as const,
      text: 'Hello',
      at: new Date(Date.now() - 1000).toISOString(),
      nodeId: null,
      kind: 'utterance' as const,
    };
    const step = { nodeId: 'a', nodeName: 'Ask', visitIndex: 0, lineCount: 1, usage: null };
    await calls().commitTurn(
      committed({
        lines: [said],
        steps: [
          { ...step, timings: { firstTokenMs: 200, wholeMs: 400, model: 'test-model' } },
          { ...step, timings: { firstTokenMs: 100, wholeMs: 300, model: 'test-model' } },
        ],
      }),
    );
    const seconds = async (stage: string) => await sum('parlance_turn_stage_seconds_sum', { stage });
    expect(await seconds('model_first_token')).toBeCloseTo(0.2);
    expect(await seconds('model')).toBeCloseTo(0.7);
    expect(await seconds('whole')).toBeGreaterThanOrEqual(1);
    expect(await seconds('overhead')).toBeCloseTo(((await seconds('whole')) ?? 0) - 0.7);
    expect(await sum('parlance_turns_total', { turn_outcome: 'committed' })).toBe(1);
  });

  test('do not time the whole turn when the user said nothing, as in an opening', async () => {
    const { calls, sum } = world();
    await calls().commitTurn(committed({}));
    expect(await sum('parlance_turn_stage_seconds_count', { stage: 'whole' })).toBe(0);
    expect(await sum('parlance_turn_stage_seconds_count', { stage: 'commit' })).toBe(1);
  });

  test('count a turn with the reply that wrote it, and not before', async () => {
    const { calls, sum } = world();
    const answer = {
      lines: [],
      chosenEdge: null,
      usage: null,
      timings: null,
      begunAt: '2026-11-21T10:00:00.000Z',
    };
    const input = {
      ...ref,
      versionId: 1,
      step: {
        branch: 0,
        turnIndex: 0,
        visitIndex: 0,
        nodeId: 'a',
        entry: { kind: 'opening' as const },
        mayMove: true,
        mayUseTools: true,
      },
      pendingLines: [],
      ifLast: { ...committed({}), nodeName: 'Ask' },
    };
    const replying = async (written: { commitMs?: number | null }) =>
      await calls({ converse: () => Promise.resolve({ ...answer, ...written }) }).converse(input);
    await replying({});
    expect(await sum('parlance_turns_total', { turn_outcome: 'committed' })).toBe(0);
    await replying({ commitMs: 12 });
    await replying({ commitMs: null });
    expect(await sum('parlance_turns_total', { turn_outcome: 'committed' })).toBe(2);
    expect(await sum('parlance_turn_stage_seconds_count', { stage: 'commit' })).toBe(1);
  });

  test("count failed turns, admissions and dispositions, without an agent's own dispositions in labels", async () => {
    const { calls, sum } = world();
    await calls().noteFailedTurn({
      ...ref,
      failures: 1,
      code: 'provider',
      usages: [],
      failed: { branch: 0, turnIndex: 0, nodeId: 'a', nodeName: 'Ask', error: 'No answer' },
    });
    await calls().admitCall(ref);
    await calls().finalizeCall(ended);
    await calls({
      finalizeCall: () => Promise.resolve({ disposition: 'Ada owes 300', durationSec: 1, webhooks: 0 }),
    }).finalizeCall(ended);
    expect(await sum('parlance_turns_total', { turn_outcome: 'failed' })).toBe(1);
    expect(await sum('parlance_calls_admitted_total', { admission: 'admitted' })).toBe(1);
    expect(await sum('parlance_calls_ended_total', { disposition: 'user_hangup' })).toBe(1);
    expect(await sum('parlance_calls_ended_total', { disposition: 'other' })).toBe(1);
  });

  test('count the outcomes of campaign calls, and the rows that a pacer dialed', async () => {
    const { calls, campaigns, sum } = world();
    await calls().finalizeCall(ended);
    await calls({
      finalizeCall: () =>
        Promise.resolve({ disposition: 'busy', durationSec: 0, webhooks: 0, targetOutcome: 'busy' }),
    }).finalizeCall(ended);
    await campaigns().paceCampaign({ campaignId: 1, organizationId: 1, paceMs: 1 });
    expect(await sum('parlance_campaign_outcomes_total', { target_outcome: 'busy' })).toBe(1);
    expect(await sum('parlance_campaign_outcomes_total')).toBe(1);
    expect(await sum('parlance_campaign_dials_total')).toBe(7);
  });

  test('count extractions that found values, were unreadable, or failed separately', async () => {
    const { calls, sum } = world();
    const input = {
      ...ref,
      versionId: 1,
      request: {
        nodeId: 'a',
        visitIndex: 0,
        point: 'leave' as const,
        throughTurnIndex: 0,
        throughLine: 0,
        branch: 0,
      },
    };
    await calls().extract(input);
    await calls({ extract: () => Promise.resolve({ failed: 'no JSON', usage: null }) }).extract(input);
    await expect(calls({ extract: () => failure('provider') }).extract(input)).rejects.toThrow('refused');
    for (const outcome of ['found', 'unreadable', 'failed'])
      expect(await sum('parlance_extractions_total', { extraction_outcome: outcome })).toBe(1);
  });

  test('count calls that were judged, skipped or failed separately', async () => {
    const { calls, sum } = world();
    const input = { ...ref, nodeId: 'qa' };
    await calls().judgeCall(input);
    await calls({ judgeCall: () => Promise.resolve({ kind: 'skipped', reason: 'too short' }) }).judgeCall(
      input,
    );
    await calls().giveUpJudgment({ ...input, error: 'the model is away' });
    for (const outcome of ['judged', 'skipped', 'failed'])
      expect(await sum('parlance_judgments_total', { judgment_outcome: outcome })).toBe(1);
  });

  test('count each failure by activity and code, and rethrow it unchanged', async () => {
    const { calls, sum } = world();
    const raised = ApplicationFailure.create({ type: 'unavailable', message: 'away' });
    await expect(calls({ admitCall: () => Promise.reject(raised) }).admitCall(ref)).rejects.toBe(raised);
    await expect(
      calls({ prepareDeliveries: () => Promise.reject(new CancelledFailure('cancelled')) }).prepareDeliveries(
        ref,
      ),
    ).rejects.toThrow('cancelled');
    expect(
      await sum('parlance_activity_failures_total', { activity: 'admitCall', code: 'unavailable' }),
    ).toBe(1);
    expect(
      await sum('parlance_activity_failures_total', { activity: 'prepareDeliveries', code: 'cancelled' }),
    ).toBe(1);
    expect(await sum('parlance_activity_failures_total')).toBe(2);
  });
});

describe('activities of a delivery', () => {
  const input = { deliveryUuid: 'd', attempt: 1 };

  test('count and time attempts by result; a final refusal is a dead letter', async () => {
    const { deliveries, sum } = world();
    await deliveries().attemptDelivery(input);
    await deliveries({
      attemptDelivery: () =>
        Promise.resolve({ kind: 'retry', host: 'h', statusCode: 500, reason: 'r', retryAfterMs: null }),
    }).attemptDelivery(input);
    await deliveries({
      attemptDelivery: () => Promise.resolve({ kind: 'dead', host: 'h', statusCode: 410, reason: 'r' }),
    }).attemptDelivery(input);
    await expect(
      deliveries({ attemptDelivery: () => failure('unavailable') }).attemptDelivery(input),
    ).rejects.toThrow('refused');
    for (const result of ['succeeded', 'retry', 'dead', 'error']) {
      expect(await sum('parlance_delivery_attempts_total', { result })).toBe(1);
      expect(await sum('parlance_delivery_attempt_seconds_count', { result })).toBe(1);
    }
    expect(await sum('parlance_delivery_dead_letters_total')).toBe(1);
  });

  test('count a delivery that became a dead letter after its last attempt', async () => {
    const { deliveries, sum } = world();
    await deliveries().giveUpDelivery({ deliveryUuid: 'd', reason: 'no attempt is left' });
    expect(await sum('parlance_delivery_dead_letters_total')).toBe(1);
  });
});

describe('retention', () => {
  test('counts the removed rows of each page by table, and nothing for a pass without removals', async () => {
    const { metrics, scrape } = createPrometheus({
      role: 'worker',
      labelValues: { code: activityFailureCodes, activity: ['applyRetention'] },
    });
    const pages = [
      { organizationId: 1, calls: 2, removed: { turns: 5, calls: 2 }, isDone: false },
      { organizationId: 1, calls: 1, removed: { turns: 1 }, isDone: true },
      null,
    ];
    const activities = measuredRetentionActivities(
      { applyRetention: () => Promise.resolve(pages.shift() ?? null) },
      metrics,
    );
    while (pages.length > 0) await activities.applyRetention({ afterOrganizationId: 0 });
    const { text } = await scrape();
    expect([
      sumOf(text, 'parlance_retention_rows_total', { table: 'turns' }),
      sumOf(text, 'parlance_retention_rows_total', { table: 'calls' }),
      sumOf(text, 'parlance_retention_rows_total'),
    ]).toEqual([6, 2, 8]);
  });
});
