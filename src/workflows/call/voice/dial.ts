import { condition, isCancellation } from '@temporalio/workflow';
import type { Dialed, DialCallInput, TelephonyActivities } from '../../../activities/telephony.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import { legDialed } from '../../../domain/telephony/leg.ts';
import { activitiesOf } from '../../proxies.ts';
import { connectionOf } from './legs.ts';
import type { SpokenCall } from './spoken-call.ts';

/** Pause between lookups of a leg whose dial has an unknown outcome. */
const lookupPauseMs = 1000;
/** The pause after a longer failure of the carrier. */
const lateLookupPauseMs = 10_000;
/**
 * Maximum number of dial requests. A request is repeated only when workers died before they sent it or before
 * they reported its outcome.
 */
const maxAttempts = 3;

/**
 * Dials the callee, at most once, and sets `dialAnswer`. Returns false when the dial failed or its outcome is
 * unknown: the call is then over.
 */
export async function dial(spoken: SpokenCall): Promise<boolean> {
  const input = dialInput(spoken);
  spoken.dialed = input;
  spoken.streamGeneration = input.generation;
  const dialed = await untilKnown(spoken, input);
  switch (dialed.kind) {
    case 'dialed':
      spoken.leg = legDialed(spoken.leg, dialed.leg);
      spoken.dialAnswer = { kind: 'accepted' };
      return true;
    case 'refused':
      spoken.dialAnswer = { kind: 'refused', message: dialed.message };
      spoken.hasFailedToStart = true;
      spoken.notDialed = dialed.notDialed ?? null;
      spoken.end(
        dialed.notDialed === undefined || dialed.notDialed === 'carrier_down' ? 'error' : 'canceled',
        {
          retryClass: dialed.retryClass,
          // guarantee: refused-number-is-not-redialed
          word: dialed.retryClass === 'never' ? 'invalid_number' : null,
        },
      );
      return false;
    case 'unknown':
    case 'absent':
      // Even an absent leg may still appear later: the receiver of its events then hangs it up.
      spoken.dialAnswer = { kind: 'unknown' };
      spoken.hasFailedToStart = true;
      // guarantee: carrier-outage-spends-no-attempt
      if (dialed.kind === 'absent') spoken.notDialed = 'carrier_down';
      spoken.end('error', { retryClass: 'provider' });
      return false;
  }
}

/** Finds the leg of a dial that was under way when the call was cancelled, so that it can be hung up. */
export async function findLostLeg(spoken: SpokenCall): Promise<void> {
  if (spoken.dialed === null || spoken.dialAnswer !== null || spoken.leg.ids !== null) return;
  const found = await lookUp(spoken, { input: spoken.dialed, hasFailed: false });
  if (found?.kind === 'dialed') spoken.leg = legDialed(spoken.leg, found.leg);
}

function dialInput(spoken: SpokenCall): DialCallInput {
  const { channel, timing, seats } = spoken;
  return {
    ...connectionOf(spoken),
    attempt: 1,
    generation: seats.generation,
    phoneNumberId: channel.phoneNumberId,
    maxDurationMs: channel.maxDurationMs,
    ringingMs: timing.ringingMs,
    limitBehindMs: timeoutsMs.carrierLimitBehind,
    detectsMachines: channel.detectsMachines,
  };
}

/** `absent`: the carrier failed to answer the dial and now says that it has no such leg. */
type Known = Dialed | { kind: 'absent' };

async function untilKnown(spoken: SpokenCall, input: DialCallInput): Promise<Known> {
  let hasLostAttempt = false;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const dialed = await dialOnce({ ...input, hasLostAttempt });
    hasLostAttempt = dialed === null;
    const known =
      dialed === null || dialed.kind === 'unknown'
        ? await lookUp(spoken, { input: { ...input, hasLostAttempt }, hasFailed: dialed?.hasFailed === true })
        : dialed;
    if (known !== null) return known;
  }
  return { kind: 'unknown' };
}

/** Null when the worker died without a report. */
async function dialOnce(input: DialCallInput): Promise<Dialed | null> {
  const { dialCall } = activitiesOf<TelephonyActivities>('carrierOnce', 'Dial');
  try {
    return await dialCall(input);
  } catch (error) {
    if (isCancellation(error)) throw error;
    return null;
  }
}

/**
 * Finds the outcome of a dial, by its events or by asking the carrier for a while. Null when the request may
 * be sent (again). `hasFailed`: the carrier failed to answer a campaign's dial. Then the call keeps its line,
 * and the carrier is asked until it has not known the leg for as long as the phone would ring.
 */
async function lookUp(
  spoken: SpokenCall,
  { input, hasFailed }: { input: DialCallInput; hasFailed: boolean },
): Promise<Known | null> {
  const { reconcileDial } = activitiesOf<TelephonyActivities>(
    'carrierOnce',
    'Look up the outcome of the dial',
  );
  const { dialReconcileMs, dialDoubtMs, dialDoubtMaxMs } = spoken.timing;
  const begunMs = Date.now();
  const untilMs = begunMs + (hasFailed ? dialDoubtMaxMs : dialReconcileMs);
  for (;;) {
    let isAbsent = false;
    try {
      const found = await reconcileDial(input);
      if (found.kind === 'not_dialed') return null;
      if (found.kind === 'dialed') return found;
      isAbsent = found.isAbsent === true;
    } catch (error) {
      if (isCancellation(error)) throw error;
    }
    if (spoken.leg.ids !== null) return { kind: 'dialed', leg: spoken.leg.ids };
    if (hasFailed && isAbsent && Date.now() >= begunMs + dialDoubtMs) return { kind: 'absent' };
    if (Date.now() >= untilMs) return { kind: 'unknown' };
    const pauseMs = Date.now() < begunMs + dialReconcileMs ? lookupPauseMs : lateLookupPauseMs;
    await condition(() => spoken.leg.ids !== null, pauseMs, {
      summary: hasFailed
        ? 'Keep the line until the carrier knows the outcome of the dial'
        : 'Wait before the next lookup of the leg',
    });
  }
}
