import {
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { Admission, CallActivities } from '../../../activities/call.ts';
import { atOnce } from '../../proxies.ts';
import { callFailure, isCancelledCall } from '../failures.ts';
import { finish } from './finish.ts';
import { Conversation } from '../conversation.ts';
import { LiveCall } from '../live-call.ts';
import {
  callStateQuery,
  endSessionUpdate,
  openSessionUpdate,
  rewindUpdate,
  sendMessageUpdate,
  transcriptQuery,
  type CallInput,
  type CallResult,
  type TextChannel,
} from '../messages.ts';
import { showRefused } from '../search-attributes.ts';
import { converseBySpeech } from '../voice/converse.ts';
import { SpokenCall } from '../voice/spoken-call.ts';

/**
 * One call, from admission to the last webhook handed over.
 *
 * 1. Admission: a compare-and-set on the call's row decides whether this Workflow runs the call. A refused
 * Workflow never speaks.
 *
 * 2. Conversation: in text, turns arrive as Updates, one at a time, and a longer silence than the channel
 * allows ends it. In speech, this Workflow asks a media host for one step after the other (voice/) and
 * handles dialing, lost hosts and the end of the leg itself.
 *
 * 3. End, shielded from cancellation: it waits for extractions, completes the record and hands each webhook
 * to a Workflow of its own. Every admitted call gets exactly one disposition.
 *
 * The Workflow makes no decisions: the reducer in src/domain/call walks the graph, and activities read, speak
 * and write. A long text conversation continues in a fresh run. Handlers finish first, because an Update that
 * is under way when a run ends is lost.
 */
export async function callWorkflow(input: CallInput): Promise<CallResult> {
  const call = new LiveCall(input);
  const conversation = new Conversation(call);
  const spoken = input.channel.kind === 'text' ? null : new SpokenCall(call, input.channel);
  setHandler(callStateQuery, () => call.answer());
  setHandler(transcriptQuery, () => [...call.transcript]);
  setHandler(openSessionUpdate, () => conversation.open());
  setHandler(sendMessageUpdate, (request) => conversation.say(request), {
    validator: (request) => conversation.refuseWhenOver(request),
  });
  setHandler(rewindUpdate, (request) => conversation.rewind(request), {
    validator: (request) => conversation.refuseWhenOver(request),
  });
  setHandler(endSessionUpdate, (request) => conversation.end(request), {
    validator: (request) => conversation.refuseWhenOver(request),
  });

  try {
    if (!(await admit(call))) return await leave(call, spoken);
    if (input.channel.kind === 'text') await converse(call, conversation, input.channel);
    else if (spoken !== null) await converseBySpeech(spoken);
  } catch (error) {
    if (!isCancelledCall(error)) throw callFailure(error);
    call.over('system_cancelled');
  }
  // guarantee: canceled-call-still-finishes
  return await CancellationScope.nonCancellable(async () => {
    await finish(call, spoken);
    return await leave(call, spoken);
  });
}

async function admit(call: LiveCall): Promise<boolean> {
  if (call.isAdmitted) return true;
  const { callId, organizationId } = call.input;
  const admission = await atOnce<CallActivities, Admission>('Admit the call', ({ admitCall }) =>
    admitCall({ callId, organizationId }),
  );
  if (admission.kind === 'admitted') call.admitted(admission.startedAt);
  else {
    call.refused();
    showRefused();
  }
  return admission.kind === 'admitted';
}

/** Returns when the conversation is over; never returns when it continues in a fresh run. */
async function converse(
  call: LiveCall,
  conversation: Conversation,
  { inactivityTimeoutMs }: TextChannel,
): Promise<void> {
  while (!call.isOver) {
    await condition(() => call.isOver || !conversation.isBusy);
    if (call.isOver) return;
    if (mustContinueAsNew(call)) await continueInFreshRun(call, conversation);
    // One timer for many turns: when it fires, it is set anew for what is left.
    const msLeft = call.lastActiveMs + inactivityTimeoutMs - Date.now();
    if (msLeft <= 0) call.over('user_idle_max_duration_exceeded');
    else
      await condition(() => call.isOver || (!conversation.isBusy && mustContinueAsNew(call)), msLeft, {
        summary: `End after ${Math.round(inactivityTimeoutMs / 1000)} s without a message`,
      });
  }
}

function mustContinueAsNew(call: LiveCall): boolean {
  // guarantee: long-call-continues-as-new
  return (
    workflowInfo().continueAsNewSuggested ||
    call.turnsThisRun >= (call.input.turnsPerRun ?? Number.POSITIVE_INFINITY)
  );
}

async function continueInFreshRun(call: LiveCall, conversation: Conversation): Promise<void> {
  // A call that is over does not wait for its handlers here, because the handler of an end waits for the
  // record.
  await condition(() => call.isOver || (call.extractions.pending === 0 && allHandlersFinished()));
  if (call.isOver) return;
  await continueAsNew<typeof callWorkflow>({ ...call.input, continued: conversation.continuation() });
}

async function leave(call: LiveCall, spoken: SpokenCall | null): Promise<CallResult> {
  await condition(allHandlersFinished);
  return { ...call.result(), ...(spoken === null ? {} : { retryClass: spoken.retryClass }) };
}
