import { condition, isCancellation } from '@temporalio/workflow';
import type { Dialed, DialCallInput, TelephonyActivities } from '../../../activities/telephony.ts';
import { timeoutsMs } from '../../../domain/declaration.ts';
import { legDialed } from '../../../domain/telephony/leg.ts';
import { activitiesOf } from '../../proxies.ts';
import { lineOf } from './line.ts';
import type { SpokenCall } from './spoken-call.ts';

/** Pause between looks for a leg whose dial was not answered. */
const lookAgainMs = 1000;
/** The same of a carrier that has failed for longer. */
const lookRarelyMs = 10_000;
/**
 * A request that never went out, or that nobody tells of, is made again so often: the workers died before
 * they could send it or tell of it.
 */
const maxTries = 3;

/**
 * Rings the person, at most once, and says so to whoever waits for it. False when nobody was rung, or nobody
 * knows: the call is over then.
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
        { retryClass: dialed.retryClass },
      );
      return false;
    case 'unknown':
    case 'absent':
      // Of one that is absent, too, nobody can say that it never comes: who hears of it later hangs it up.
      spoken.dialAnswer = { kind: 'unknown' };
      spoken.hasFailedToStart = true;
      // guarantee: carrier-down-costs-no
      if (dialed.kind === 'absent') spoken.notDialed = 'carrier_down';
      spoken.end('error', { retryClass: 'provider' });
      return false;
  }
}

/**
 * A dial that was under way when the call was cancelled may have rung somebody: then there is a line to be
 * hung up.
 */
export async function findLostLeg(spoken: SpokenCall): Promise<void> {
  if (spoken.dialed === null || spoken.dialAnswer !== null || spoken.leg.ids !== null) return;
  const found = await look(spoken, { input: spoken.dialed, hasFailed: false });
  if (found?.kind === 'dialed') spoken.leg = legDialed(spoken.leg, found.leg);
}

function dialInput(spoken: SpokenCall): DialCallInput {
  const { channel, timing, seats } = spoken;
  return {
    ...lineOf(spoken),
    attempt: 1,
    generation: seats.generation,
    phoneNumberId: channel.phoneNumberId,
    maxDurationMs: channel.maxDurationMs,
    ringingMs: timing.ringingMs,
    limitBehindMs: timeoutsMs.carrierLimitBehind,
    detectsMachines: channel.detectsMachines,
  };
}

/** `absent`: the carrier failed, and says since that it has no such call. */
type Known = Dialed | { kind: 'absent' };

async function untilKnown(spoken: SpokenCall, input: DialCallInput): Promise<Known> {
  let isUnheard = false;
  for (let tried = 1; tried <= maxTries; tried += 1) {
    const dialed = await dialOnce({ ...input, isUnheard });
    isUnheard ||= dialed === null;
    const known =
      dialed === null || dialed.kind === 'unknown'
        ? await look(spoken, { input: { ...input, isUnheard }, hasFailed: dialed?.hasFailed === true })
        : dialed;
    if (known !== null) return known;
  }
  return { kind: 'unknown' };
}

/** Null when the worker died: it tells nothing. */
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
 * What became of a dial: by its events, or by looking at the carrier for a while. Null when the request may
 * be sent (again). `hasFailed`: the carrier itself failed to answer a campaign's dial; then the line is held,
 * and the carrier asked, until it has known nothing of the call for as long as it would ring.
 */
async function look(
  spoken: SpokenCall,
  { input, hasFailed }: { input: DialCallInput; hasFailed: boolean },
): Promise<Known | null> {
  const { reconcileDial } = activitiesOf<TelephonyActivities>('carrierOnce', 'Look what became of the dial');
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
    const pauseMs = Date.now() < begunMs + dialReconcileMs ? lookAgainMs : lookRarelyMs;
    await condition(() => spoken.leg.ids !== null, pauseMs, {
      summary: hasFailed
        ? 'Hold the line until the carrier says what became of the dial'
        : 'Look for the leg again',
    });
  }
}
