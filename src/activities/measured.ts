import { ApplicationFailure } from '@temporalio/common';
import { dispositionForSearch } from '../domain/call/dispositions.ts';
import { errorCodes } from '../domain/errors.ts';
import type { Metrics } from '../runtime/metrics.ts';
import type { Line } from '../domain/call/line.ts';
import type { CallActivities, CommitTurnInput, JudgmentOutcome, StepAnswer } from './call.ts';
import type { CampaignActivities } from './campaign.ts';
import type { AttemptOutcome, DeliveryActivities } from './delivery.ts';
import type { RetentionActivities } from './retention.ts';
import type { TelephonyActivities } from './telephony.ts';

/** Codes of an activity's failure: those of our errors, unexpected errors and cancellation. */
export const activityFailureCodes: readonly string[] = [...errorCodes, 'unexpected', 'cancelled'];

type AnyActivities = Readonly<Record<string, (input: never) => Promise<unknown>>>;

/**
 * Activities that count their outcomes. They count attempts that this process finished: the attempt of a dead
 * worker is repeated and counted then, so the numbers may differ a little from the records in MySQL.
 */
export function measuredCallActivities(activities: CallActivities, metrics: Metrics): CallActivities {
  return {
    ...countingFailures(activities, metrics),
    admitCall: failing('admitCall', metrics, async (input) => {
      const admission = await activities.admitCall(input);
      metrics.count('parlance_calls_admitted_total', { admission: admission.kind });
      return admission;
    }),
    converse: failing('converse', metrics, async (input) => {
      const answer = await activities.converse(input);
      const { commitMs } = answer;
      if (commitMs !== undefined)
        measureTurn(
          metrics,
          {
            lines: [...input.pendingLines, ...answer.lines],
            steps: [...input.ifLast.steps, { timings: answer.timings }],
          },
          commitMs === null ? null : commitMs / 1000,
        );
      return answer;
    }),
    commitTurn: failing(
      'commitTurn',
      metrics,
      measuredCommit((input) => activities.commitTurn(input), metrics),
    ),
    noteFailedTurn: failing('noteFailedTurn', metrics, async (input) => {
      const written = await activities.noteFailedTurn(input);
      metrics.count('parlance_turns_total', { turn_outcome: written === null ? 'failed' : 'committed' });
      return written;
    }),
    extract: failing('extract', metrics, async (input) => {
      try {
        const extracted = await activities.extract(input);
        metrics.count('parlance_extractions_total', {
          extraction_outcome: 'failed' in extracted ? 'unreadable' : 'found',
        });
        return extracted;
      } catch (error) {
        if (error instanceof ApplicationFailure)
          metrics.count('parlance_extractions_total', { extraction_outcome: 'failed' });
        throw error;
      }
    }),
    judgeCall: failing('judgeCall', metrics, async (input) =>
      counted(await activities.judgeCall(input), metrics),
    ),
    giveUpJudgment: failing('giveUpJudgment', metrics, async (input) =>
      counted(await activities.giveUpJudgment(input), metrics),
    ),
    finalizeCall: failing('finalizeCall', metrics, async (input) => {
      const ended = await activities.finalizeCall(input);
      metrics.count('parlance_calls_ended_total', { disposition: dispositionForSearch(ended.disposition) });
      if (ended.targetOutcome !== undefined)
        metrics.count('parlance_campaign_outcomes_total', { target_outcome: ended.targetOutcome });
      return ended;
    }),
  };
}

type AttemptResult = AttemptOutcome['kind'] | 'error';

/** Measures one attempt of a delivery, of the pump or of a Workflow. */
export function measuredAttempts(metrics: Metrics): (result: AttemptResult, seconds: number) => void {
  return (result, seconds) => {
    if (result === 'dead') metrics.count('parlance_delivery_dead_letters_total', {});
    metrics.count('parlance_delivery_attempts_total', { result });
    metrics.observe('parlance_delivery_attempt_seconds', { result }, seconds);
  };
}

export function measuredDeliveryActivities(
  activities: DeliveryActivities,
  metrics: Metrics,
): DeliveryActivities {
  const measured = measuredAttempts(metrics);
  return {
    ...countingFailures(activities, metrics),
    attemptDelivery: failing('attemptDelivery', metrics, async (input) => {
      const begun = performance.now();
      let result: AttemptResult = 'error';
      try {
        const outcome = await activities.attemptDelivery(input);
        result = outcome.kind;
        return outcome;
      } finally {
        measured(result, (performance.now() - begun) / 1000);
      }
    }),
    giveUpDelivery: failing('giveUpDelivery', metrics, async (input) => {
      await activities.giveUpDelivery(input);
      metrics.count('parlance_delivery_dead_letters_total', {});
    }),
  };
}

/**
 * Counts moves and apologies of live calls: a separate command attaches a stream only when a call moves to
 * another host.
 */
export function measuredTelephonyActivities(
  activities: TelephonyActivities,
  metrics: Metrics,
): TelephonyActivities {
  return {
    ...countingFailures(activities, metrics),
    attachStream: failing('attachStream', metrics, async (input) => {
      const attached = await activities.attachStream(input);
      metrics.count('parlance_calls_moved_total', { attached });
      return attached;
    }),
    speakApology: failing('speakApology', metrics, async (input) => {
      const spoken = await activities.speakApology(input);
      metrics.count('parlance_calls_given_up_total', {});
      return spoken;
    }),
  };
}

function counted(outcome: JudgmentOutcome, metrics: Metrics): JudgmentOutcome {
  metrics.count('parlance_judgments_total', { judgment_outcome: outcome.kind });
  return outcome;
}

export function measuredCampaignActivities(
  activities: CampaignActivities,
  metrics: Metrics,
): CampaignActivities {
  return {
    paceCampaign: failing('paceCampaign', metrics, async (input) => {
      const paced = await activities.paceCampaign(input);
      metrics.count('parlance_campaign_dials_total', {}, paced.dialed);
      return paced;
    }),
  };
}

export function measuredRetentionActivities(
  activities: RetentionActivities,
  metrics: Metrics,
): RetentionActivities {
  return {
    applyRetention: failing('applyRetention', metrics, async (input) => {
      const page = await activities.applyRetention(input);
      for (const [table, rows] of Object.entries(page?.removed ?? {}))
        metrics.count('parlance_retention_rows_total', { table }, rows);
      return page;
    }),
  };
}

/** The commit of a turn, with the turn's measures. */
export function measuredCommit(
  commit: (input: CommitTurnInput) => Promise<unknown>,
  metrics: Metrics,
): (input: CommitTurnInput) => Promise<void> {
  return async (input) => {
    const begun = performance.now();
    await commit(input);
    measureTurn(metrics, input, (performance.now() - begun) / 1000);
  };
}

/**
 * Measures a turn's stages. `whole` begins when the Workflow took the user's message; an opening has none.
 * `commitSeconds` is null if an earlier attempt wrote the turn.
 */
function measureTurn(
  metrics: Metrics,
  { lines, steps }: { lines: readonly Line[]; steps: readonly Pick<StepAnswer, 'timings'>[] },
  commitSeconds: number | null,
): void {
  metrics.count('parlance_turns_total', { turn_outcome: 'committed' });
  const stage = (name: string, seconds: number) =>
    metrics.observe('parlance_turn_stage_seconds', { stage: name }, seconds);
  if (commitSeconds !== null) stage('commit', commitSeconds);
  const timings = steps.map(({ timings }) => timings).filter((each) => each !== null);
  const model = timings.reduce((sum, { wholeMs }) => sum + wholeMs, 0) / 1000;
  const firstTokenMs = timings[0]?.firstTokenMs ?? null;
  if (firstTokenMs !== null) stage('model_first_token', firstTokenMs / 1000);
  if (timings.length > 0) stage('model', model);
  const said = lines.find(({ speaker }) => speaker === 'user');
  if (said === undefined) return;
  const whole = (Date.now() - Date.parse(said.at)) / 1000;
  stage('whole', whole);
  stage('overhead', whole - model);
}

/** Wraps activities so that their failures are counted. */
export function countingFailures<Activities extends object>(
  activities: Activities,
  metrics: Metrics,
): Activities {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- activities are functions of one input
  const entries = Object.entries(activities as AnyActivities);
  const counted = entries.map(([name, activity]) => [name, failing(name, metrics, activity)]);
  return Object.fromEntries(counted); // eslint-disable-line typescript/no-unsafe-return -- the same names with the same functions
}

function failing<Input, Output>(
  activity: string,
  metrics: Metrics,
  run: (input: Input) => Promise<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    try {
      return await run(input);
    } catch (error) {
      metrics.count('parlance_activity_failures_total', { activity, code: codeOf(error) });
      throw error;
    }
  };
}

/** The code is the type of an activity's ApplicationFailure; any other error is a cancellation. */
function codeOf(error: unknown): string {
  return error instanceof ApplicationFailure ? (error.type ?? 'unexpected') : 'cancelled';
}
