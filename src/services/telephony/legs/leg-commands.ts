import { PreconditionError } from '../../../domain/errors.ts';
import { legReference, writeClientState } from '../../../domain/telephony/client-state.ts';
import type { LegResult } from '../../../providers/carrier/port.ts';
import { holdMusic } from './hold-music.ts';
import type { LineRef, PhoneDeps } from './deps.ts';
import { streamUrl } from '../../media/index.ts';
import { eventsUrl, unlessGone } from './internal.ts';
import { openLine } from '../accounts/open-line.ts';
import { ensureLeg, noteLine } from './legs.ts';

/** A command to one leg; the newest id that is known of it. */
export interface LegInput extends LineRef {
  callControlId: string;
}

interface Commanding<Input extends LegInput> {
  deps: PhoneDeps;
  input: Input;
}

/** Takes an incoming call and gives it the stream of its seat. `over`: whoever called has hung up. */
export async function answerCall({
  deps,
  input,
}: Commanding<
  LegInput & { generation: number; legId: string | null; sessionId: string | null }
>): Promise<LegResult> {
  const { callId, callUuid, callControlId, legId, sessionId, generation } = input;
  const { carrier } = await openLine(deps, input);
  const reference = legReference(callUuid, { role: 'main', attempt: 1 });
  const row = await ensureLeg(deps, input, { role: 'main', reference });
  await noteLine(deps, input, { leg: { callControlId, legId, sessionId }, row, callerNumber: null });
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
 * Ends a leg; one that is over, or that the carrier does not know, is ended. `step` tells commands of one
 * call apart.
 */
export async function hangUp({ deps, input }: Commanding<LegInput & { step: string }>): Promise<void> {
  const { carrier } = await openLine(deps, input);
  await unlessGone(
    carrier.hangUp({
      callControlId: input.callControlId,
      commandId: `${input.callUuid}.hangup.${input.step}`,
    }),
  );
}

/** `busy`: the carrier holds the old stream still. `stale`: a newer seat was claimed meanwhile. */
export type Attached = 'attached' | 'busy' | 'over' | 'stale';

/** Pauses between tries while the carrier still holds the old stream. */
const busyPausesMs = [250, 500, 1000];

/**
 * Moves the leg's stream to the host of the call's seat: the old one is stopped first, whether it is there or
 * not.
 */
export async function attachStream({
  deps,
  input,
  pause,
}: Commanding<LegInput & { generation: number; attempt: number }> & {
  pause: (ms: number) => Promise<void>;
}): Promise<Attached> {
  const { callUuid, callControlId, generation, attempt } = input;
  const { carrier } = await openLine(deps, input);
  const url = await streamUrl({ deps, input }).catch(unlessStale);
  if (url === null) return 'stale';
  const commandId = (step: string) => `${callUuid}.${step}.${generation}.${attempt}`;
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

/** The carrier's own voice says that something is broken: nobody of ours can. */
export async function speakApology({ deps, input }: Commanding<LegInput>): Promise<LegResult> {
  const { carrier } = await openLine(deps, input);
  return await unlessGone(
    carrier.speak({
      callControlId: input.callControlId,
      commandId: `${input.callUuid}.apology`,
      text: apology,
    }),
  );
}

const apology = 'We are sorry, we have a technical problem and cannot go on with this call. Goodbye.';

/** Whether the leg lives, as the carrier sees it. */
export async function pollLeg({ deps, input }: Commanding<LegInput>): Promise<{ isAlive: boolean }> {
  const { carrier } = await openLine(deps, input);
  return (await carrier.status(input.callControlId)) ?? { isAlive: false };
}

/** The carrier plays music to the caller until it is stopped. */
export async function startHold({
  deps,
  input,
}: Commanding<LegInput & { step: string }>): Promise<LegResult> {
  const { carrier } = await openLine(deps, input);
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
  const { carrier } = await openLine(deps, input);
  return await unlessGone(
    carrier.stopPlayback({
      callControlId: input.callControlId,
      commandId: `${input.callUuid}.unhold.${input.step}`,
    }),
  );
}
