import { condition, isCancellation } from '@temporalio/workflow';
import type {
  Connected,
  DialTransferInput,
  ResolvedTransfer,
  TelephonyActivities,
  TransferDialed,
} from '../../../activities/telephony.ts';
import { branchAt } from '../../../domain/call/checkpoint.ts';
import type { Intervention } from '../../../domain/call/intervention.ts';
import { planNode } from '../../../domain/graph/plan.ts';
import { legDialed, legOutcome, newLeg, type Leg } from '../../../domain/telephony/leg.ts';
import {
  failedTransferNote,
  transferResult,
  type TransferFailure,
} from '../../../domain/telephony/transfer-result.ts';
import { activitiesOf } from '../../proxies.ts';
import type { Transfer, TransferRequest } from '../tools.ts';
import { connectionOf, hangUpCaller, hangUpDestination, lifeOf } from './legs.ts';
import { speak } from './speak.ts';
import type { SpokenCall } from './spoken-call.ts';

/** Maximum wait for extractions that the destination depends on; it is short, because the caller waits. */
const extractionWaitMs = 8000;
/** How long after the carrier's ringing timeout its event may arrive. */
const ringingNoticeMs = 5000;

type Outcome = { kind: 'connected' } | { kind: 'failed'; reason: TransferFailure };

/**
 * Transfers the caller (contract 12.7): it finds the destination, speaks the announcement, rings the
 * destination while the caller hears music, and joins both when it answers. An earlier failure is a result
 * for the model, and the conversation continues.
 */
export function transferOf(spoken: SpokenCall): Transfer {
  return async (request) => {
    const lines: Awaited<ReturnType<Transfer>>['lines'] = [];
    const outcome = await handOver(spoken, request, lines);
    if (outcome.kind === 'failed') return { result: transferResult(outcome), lines, end: null };
    await handedOver(spoken);
    return { result: transferResult(outcome), lines, end: { reason: null } };
  };
}

/**
 * After the transfer, waits until one of the two legs ends and hangs up the other. The carrier's time limit
 * applies, too.
 */
export async function waitForTransferEnd(spoken: SpokenCall): Promise<void> {
  // guarantee: transferred-caller-not-left-alone
  await condition(
    () => spoken.isDown || spoken.transfer?.leg.phase === 'ended' || spoken.interventions.isHangUpWanted,
  );
  await Promise.all([hangUpCaller(spoken), hangUpDestination(spoken)]);
}

/**
 * Transfers the caller as a supervisor asks (contract 6.12). A failure is a note for the model, and the conversation
 * continues.
 */
export async function transferForSupervisor(
  spoken: SpokenCall,
  { requestId, timeoutSeconds }: Extract<Intervention, { kind: 'transfer' }>,
): Promise<'connected' | 'failed'> {
  const outcome = await ringMeanwhile(spoken, { kept: { toolUuid: requestId }, timeoutSeconds });
  if (outcome.kind === 'connected') {
    await handedOver(spoken);
    return 'connected';
  }
  spoken.interventions.note(failedTransferNote(outcome.reason));
  return 'failed';
}

async function handedOver(spoken: SpokenCall): Promise<void> {
  spoken.isTransferred = true;
  spoken.end('transfer_call');
  await spoken.seats.release();
}

async function handOver(
  spoken: SpokenCall,
  request: TransferRequest,
  lines: Awaited<ReturnType<Transfer>>['lines'],
): Promise<Outcome> {
  if (request.readsContext) await extractFirst(spoken, request);
  const resolved = await resolve(spoken, request);
  if (resolved.kind === 'failed') return resolved;
  if (resolved.message !== null) lines.push(...(await say(spoken, request, resolved.message)));
  const { step, callIndex } = request;
  return await ringMeanwhile(spoken, {
    kept: { branch: step.branch, turnIndex: step.turnIndex, callIndex },
    timeoutSeconds: resolved.timeoutSeconds,
  });
}

type Ringing = Pick<DialTransferInput, 'kept' | 'timeoutSeconds'>;

/** Rings the destination while the caller hears music, and joins both. */
async function ringMeanwhile(spoken: SpokenCall, ringing: Ringing): Promise<Outcome> {
  if (spoken.isDown) return { kind: 'failed', reason: 'call_failed' };
  const attempt = spoken.pastTransfers.length + 1;
  await hold(spoken, 'startHold', attempt);
  const outcome = await ringAndJoin(spoken, { ...ringing, attempt });
  if (outcome.kind === 'connected') return outcome;
  await Promise.all([hangUpDestination(spoken), hold(spoken, 'stopHold', attempt)]);
  if (spoken.transfer !== null) spoken.pastTransfers.push(spoken.transfer);
  spoken.transfer = null;
  return outcome;
}

/** Extracts this node's values from the conversation so far, the last words included. */
async function extractFirst({ call, commits }: SpokenCall, { step, lines }: TransferRequest): Promise<void> {
  await commits.drained(extractionWaitMs);
  const { checkpoint, input, extractions, lastLineCount } = call;
  if (planNode(input.plan, step.nodeId)?.extraction === true) {
    const branch = branchAt(checkpoint, checkpoint.turnIndex) ?? checkpoint.branch;
    extractions.start(
      [
        {
          nodeId: step.nodeId,
          visitIndex: step.visitIndex,
          point: 'leave',
          throughTurnIndex: checkpoint.turnIndex,
          throughLine: lastLineCount,
          branch,
        },
      ],
      lines,
    );
  }
  await condition(() => extractions.pending === 0, extractionWaitMs, {
    summary: 'Wait for the values that the destination depends on',
  });
}

async function resolve(
  spoken: SpokenCall,
  { step, call: request, callIndex }: TransferRequest,
): Promise<ResolvedTransfer> {
  const { callId, organizationId } = spoken.input;
  const { resolveTransfer } = activitiesOf<TelephonyActivities>(
    'turn',
    'Find the destination of the transfer',
  );
  try {
    return await resolveTransfer({
      callId,
      organizationId,
      branch: step.branch,
      turnIndex: step.turnIndex,
      callIndex,
      call: request,
      checkpoint: spoken.call.checkpoint,
      extractions: spoken.call.extractions.done.results,
    });
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { kind: 'failed', reason: 'execution_error' };
  }
}

async function say(spoken: SpokenCall, { step, lines }: TransferRequest, text: string) {
  const { callId, organizationId, versionId } = spoken.input;
  const said = await speak(spoken, {
    callId,
    organizationId,
    versionId,
    step: { ...step, mayMove: false, mayUseTools: false },
    pendingLines: [...lines],
    say: { kind: 'line', text },
    listens: false,
  });
  return said.step?.lines ?? [];
}

/** Starts or stops the music for the caller; a failure does not stop the transfer. */
async function hold(spoken: SpokenCall, command: 'startHold' | 'stopHold', attempt: number): Promise<void> {
  const { ids } = spoken.leg;
  if (spoken.isDown || ids === null) return;
  const commands = activitiesOf<TelephonyActivities>(
    'carrierOnce',
    command === 'startHold' ? 'Play music' : 'Stop the music',
  );
  await commands[command]({
    ...connectionOf(spoken),
    callControlId: ids.callControlId,
    step: String(attempt),
  }).catch((error: unknown) => {
    if (isCancellation(error)) throw error;
  });
}

async function ringAndJoin(spoken: SpokenCall, ringing: Ringing & { attempt: number }): Promise<Outcome> {
  const { attempt, timeoutSeconds } = ringing;
  spoken.transfer = { attempt, leg: newLeg, isHungUp: false, isLeftOpen: false };
  const dialed = await dialDestination(spoken, ringing);
  if (dialed.kind === 'failed') return dialed;
  const leg = (): Leg => spoken.transfer?.leg ?? newLeg;
  spoken.transfer = { attempt, leg: legDialed(leg(), dialed.leg), isHungUp: false, isLeftOpen: false };
  const isDecided = () => leg().phase === 'answered' || leg().phase === 'ended';
  const { interventions } = spoken;
  await condition(
    () => isDecided() || spoken.isDown || interventions.isHangUpWanted,
    timeoutSeconds * 1000 + ringingNoticeMs,
    { summary: 'Wait for an answer at the destination' },
  );
  if (leg().phase === 'ended') return { kind: 'failed', reason: failureOf(leg()) };
  if (interventions.isHangUpWanted) return { kind: 'failed', reason: 'call_failed' };
  if (leg().phase === 'answered' || (await hasAnsweredUnheard(spoken, leg())))
    return await join(spoken, attempt, leg());
  return { kind: 'failed', reason: spoken.isDown ? 'call_failed' : 'timeout' };
}

/**
 * The event of an answer may be lost. The carrier ends a leg that nobody answers within its time, so one that
 * lives longer was answered.
 */
async function hasAnsweredUnheard(spoken: SpokenCall, leg: Leg): Promise<boolean> {
  // guarantee: unheard-answer-of-destination-joins
  return !spoken.isDown && (await lifeOf(spoken, leg))?.isAlive === true;
}

async function dialDestination(
  spoken: SpokenCall,
  ringing: Ringing & { attempt: number },
): Promise<TransferDialed> {
  // Safe to retry: the right to dial is claimed once, and a second attempt looks up the leg.
  const { dialTransfer } = activitiesOf<TelephonyActivities>('carrier', 'Dial the destination');
  try {
    return await dialTransfer({
      ...connectionOf(spoken),
      ...ringing,
      phoneNumberId: spoken.channel.phoneNumberId,
    });
  } catch (error) {
    if (isCancellation(error)) throw error;
    return { kind: 'failed', reason: 'provider_error' };
  }
}

async function join(spoken: SpokenCall, attempt: number, destination: Leg): Promise<Outcome> {
  const { ids } = spoken.leg;
  // guarantee: transfer-waits-for-the-hosts-line
  if (!spoken.isHostLost) await spoken.seats.finishSpeaking();
  if (ids === null || destination.ids === null || spoken.isDown)
    return { kind: 'failed', reason: 'call_failed' };
  const { connectTransfer } = activitiesOf<TelephonyActivities>(
    'carrierOnce',
    'Join caller and destination',
    { startToCloseTimeout: joinMs },
  );
  let joined: Connected;
  try {
    joined = await connectTransfer({
      ...connectionOf(spoken),
      attempt,
      callControlId: ids.callControlId,
      destinationControlId: destination.ids.callControlId,
    });
  } catch (error) {
    if (isCancellation(error)) throw error;
    joined = { kind: 'failed', reason: 'conference_create_failed' };
  }
  return joined.kind === 'caller_gone' ? { kind: 'failed', reason: 'call_failed' } : joined;
}

/** Four commands, one after the other. */
const joinMs = 20_000;

function failureOf(leg: Leg): TransferFailure {
  const { disposition } = legOutcome(leg);
  if (leg.hangup?.cause === 'timeout') return 'timeout';
  return disposition === 'busy' ? 'busy' : disposition === 'no-answer' ? 'no_answer' : 'call_failed';
}
