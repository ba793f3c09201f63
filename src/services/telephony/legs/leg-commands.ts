import { PreconditionError } from '../../../domain/errors.ts';
import { legReference, writeClientState } from '../../../domain/telephony/client-state.ts';
import type { LegResult, LegStatus } from '../../../providers/carrier/port.ts';
import { holdMusic } from './hold-music.ts';
import type { PhoneCallRef, PhoneDeps } from './deps.ts';
import { streamUrl } from '../../media/index.ts';
import { eventsUrl, unlessGone } from './internal.ts';
import { openAccount } from '../accounts/open-account.ts';
import { ensureLeg, recordLeg } from './legs.ts';

/** A command to one leg, by its newest known control id. */
export interface LegInput extends PhoneCallRef {
  callControlId: string;
}

interface Commanding<Input extends LegInput> {
  deps: PhoneDeps;
  input: Input;
}

/** Answers an incoming call with the stream of its seat. Answers `over` if the caller has hung up. */
export async function answerCall({
  deps,
  input,
}: Commanding<
  LegInput & { generation: number; legId: string | null; sessionId: string | null }
>): Promise<LegResult> {
  const { callId, callUuid, callControlId, legId, sessionId, generation } = input;
  const { carrier } = await openAccount(deps, input);
  const reference = legReference(callUuid, { role: 'main', attempt: 1 });
  const row = await ensureLeg(deps, input, { role: 'main', reference });
  await recordLeg(deps, input, { leg: { callControlId, legId, sessionId }, row, callerNumber: null });
  const stream = { url: await streamUrl({ deps, input }) };
  const clientState = writeClientState({ reference, generation });
  return await unlessGone(
    carrier.answer({
      callControlId,
      commandId: `${reference}.answer`,
      clientState,
      stream,
      webhookUrl: eventsUrl(deps, carrier.provider, callId),
      sendSilenceWhenIdle: true,
    }),
  );
}

/**
 * Hangs up a leg; a leg that is over or unknown to the carrier counts as hung up. `step` distinguishes the
 * commands of one call.
 */
export async function hangUp({ deps, input }: Commanding<LegInput & { step: string }>): Promise<void> {
  const { carrier } = await openAccount(deps, input);
  await unlessGone(
    carrier.hangUp({
      callControlId: input.callControlId,
      commandId: `${input.callUuid}.hangup.${input.step}`,
    }),
  );
}

/** `busy`: the carrier still holds the old stream. `stale`: the call has a newer seat. */
export type Attached = 'attached' | 'busy' | 'over' | 'stale';

/** Pauses between attempts while the carrier still holds the old stream. */
const busyPausesMs = [250, 500, 1000];

/**
 * Moves the leg's stream to the host of the call's seat. Always stops the old stream first, even if there is
 * none.
 */
export async function attachStream({
  deps,
  input,
  pause,
}: Commanding<LegInput & { generation: number; attempt: number }> & {
  pause: (ms: number) => Promise<void>;
}): Promise<Attached> {
  const { callUuid, callControlId, generation, attempt } = input;
  const { carrier } = await openAccount(deps, input);
  const url = await streamUrl({ deps, input }).catch(unlessStale);
  if (url === null) return 'stale';
  const commandId = (command: string) => `${callUuid}.${command}.${generation}.${attempt}`;
  if (
    (await unlessGone(carrier.stopStreaming({ callControlId, commandId: commandId('unstream') }))) === 'over'
  )
    return 'over';
  const clientState = writeClientState({
    reference: legReference(callUuid, { role: 'main', attempt: 1 }),
    generation,
  });
  for (const [tried, pauseMs] of [...busyPausesMs, null].entries()) {
    const started = await carrier.startStreaming({
      callControlId,
      commandId: `${commandId('stream')}.${tried}`,
      clientState,
      stream: { url },
    });
    if (started !== 'busy') return started === 'over' ? 'over' : 'attached';
    if (pauseMs !== null) await pause(pauseMs);
  }
  return 'busy';
}

function unlessStale(error: unknown): null {
  if (error instanceof PreconditionError) return null;
  throw error;
}

/** Has the carrier's own voice apologize to the caller, because no media host can speak. */
export async function speakApology({ deps, input }: Commanding<LegInput>): Promise<LegResult> {
  const { carrier } = await openAccount(deps, input);
  return await unlessGone(
    carrier.speak({
      callControlId: input.callControlId,
      commandId: `${input.callUuid}.apology`,
      text: apology,
    }),
  );
}

const apology = 'We are sorry, we have a technical problem and cannot continue this call. Goodbye.';

/** Asks the carrier whether the leg is live, and when it ended. */
export async function pollLeg({ deps, input }: Commanding<LegInput>): Promise<LegStatus> {
  const { carrier } = await openAccount(deps, input);
  return (await carrier.status(input.callControlId)) ?? { isAlive: false };
}

/** Has the carrier play music to the caller until `stopHold`. */
export async function startHold({
  deps,
  input,
}: Commanding<LegInput & { step: string }>): Promise<LegResult> {
  const { carrier } = await openAccount(deps, input);
  return await unlessGone(
    carrier.startPlayback({
      callControlId: input.callControlId,
      commandId: `${input.callUuid}.hold.${input.step}`,
      audio: { kind: 'content', base64: holdMusic(), type: 'wav' },
      isEndless: true,
    }),
  );
}

export async function stopHold({ deps, input }: Commanding<LegInput & { step: string }>): Promise<LegResult> {
  const { carrier } = await openAccount(deps, input);
  return await unlessGone(
    carrier.stopPlayback({
      callControlId: input.callControlId,
      commandId: `${input.callUuid}.unhold.${input.step}`,
    }),
  );
}
