import { beginLeg } from '../legs/begin-leg.ts';
import { browserCodec as codec } from '../legs/codec.ts';
import type { GoneReason } from '../leg.ts';
import { frameMs } from '../playout/frame-clock.ts';
import { isMarkName } from '../playout/latency.ts';
import type { Session } from '../sessions.ts';
import { backgroundOf } from './carrier-socket.ts';
import { closeCodes, codeOfEnd, codeOfRefusal } from './close-codes.ts';
import type { StreamDeps, WebRefusal } from './deps.ts';
import { toCallEnded, toCallError } from './mapper.ts';
import type { Socket } from './socket.ts';

/**
 * Serves a browser's call (contract 15.2, `/ws/call`). Binary messages in both directions are PCM16, 16,000
 * samples per second, little-endian. Text messages are JSON. We send `error` (the call is refused or did not
 * start), `started`, `clear` (drop what was not played), `mark` (return it when everything before it has been
 * played), `call-ended` and the `rtf-*` events. The browser sends `mark`, `dtmf`, `text` and `stop`.
 */
export interface BrowserRequest {
  agentId: number;
  callId: number;
  token: string;
}

/** A browser that is this far ahead of real time is disconnected. */
const maxAheadMs = 5000;
/** Maximum length of typed words in characters, and maximum number of typed texts within a second. */
const maxTyped = { characters: 2000, perSecond: 5 };
/** Recognizers end a session without sound, so a browser that has sent none by then is heard as silence. */
const soundlessMs = 2000;

export async function serveBrowser({
  deps,
  socket,
  request,
}: {
  deps: StreamDeps;
  socket: Socket;
  request: BrowserRequest;
}): Promise<void> {
  const opened = await deps.openWebCall(request);
  if (opened.kind === 'refused') return refuseCall(socket, opened.reason);
  const { call, generation } = opened;
  const session = deps.sessions.seat({
    callId: call.callId,
    organizationId: call.organizationId,
    generation,
  });
  const close = (reason: GoneReason) => {
    socket.sendText(JSON.stringify(toCallEnded(call.callId, reason)));
    socket.close(codeOfEnd[reason]);
  };
  if (session?.connect(close) !== true) return refuseCall(socket, 'taken');
  receive({ deps, socket, session, background: await backgroundOf(deps, session) });
  try {
    await deps.startWebCall({ ...call, generation });
  } catch (error) {
    socket.sendText(JSON.stringify(toCallError('not_started')));
    socket.close(closeCodes.internal);
    session.report({ kind: 'released' });
    throw error;
  }
}

function refuseCall(socket: Socket, reason: WebRefusal): void {
  socket.sendText(JSON.stringify(toCallError(reason)));
  socket.close(codeOfRefusal[reason]);
}

function receive({
  deps,
  socket,
  session,
  background,
}: {
  deps: StreamDeps;
  socket: Socket;
  session: Session;
  background: Awaited<ReturnType<typeof backgroundOf>>;
}): void {
  const say = (message: object) => socket.sendText(JSON.stringify(message));
  const wire = {
    send: (frame: Int16Array) => socket.sendBytes(codec.encode(frame)),
    mark: (name: string) => say({ type: 'mark', name }),
    clear: () => say({ type: 'clear' }),
  };
  say({ type: 'started', sample_rate: codec.sampleRate, frame_ms: 20 });
  const { leg, heard, playout } = beginLeg({
    deps,
    session,
    sampleRate: codec.sampleRate,
    decode: codec.decode,
    wire,
    background,
    show: say,
  });
  const isAlive = () => session.report({ kind: 'heard', atMs: deps.clock.now() });

  const typedAtMs: number[] = [];
  function type(text: string): void {
    const nowMs = deps.clock.now();
    typedAtMs.push(nowMs);
    if (typedAtMs.length > maxTyped.perSecond && nowMs - (typedAtMs.shift() ?? nowMs) < 1000) return refuse();
    return leg.type(text);
  }

  let silentUntilMs = leg.beganAtMs + soundlessMs;
  const silence = new Int16Array((codec.sampleRate * frameMs) / 1000);
  const endSilence = deps.clock.join((nowMs) => {
    for (; silentUntilMs + frameMs <= nowMs; silentUntilMs += frameMs) heard.append(silence);
  });
  leg.onGone(endSilence);

  function refuse(): void {
    socket.close(closeCodes.malformed);
    session.report({ kind: 'closed' });
  }

  function control(text: string): void {
    const message = messageIn(text);
    if (message?.type === 'mark' && isMarkName(message.name)) playout.onMark(message.name);
    else if (
      message?.type === 'dtmf' &&
      typeof message.digit === 'string' &&
      /^[0-9A-D*#]$/.test(message.digit)
    )
      leg.press(message.digit);
    else if (message?.type === 'text' && isTyped(message.text)) type(message.text.trim());
    else if (message?.type === 'stop') session.report({ kind: 'stopped' });
    else refuse();
  }

  socket.listen({
    text: control,
    bytes(bytes) {
      isAlive();
      endSilence();
      heard.append(codec.decode(bytes));
      if (heard.lengthMs > deps.clock.now() - leg.beganAtMs + maxAheadMs) refuse();
    },
    closed: () => session.report({ kind: 'closed' }),
    alive: isAlive,
  });
}

function isTyped(text: unknown): text is string {
  if (typeof text !== 'string' || !text.isWellFormed()) return false;
  const { length } = Array.from(text.trim());
  return length >= 1 && length <= maxTyped.characters;
}

function messageIn(text: string): Partial<Record<'type' | 'name' | 'digit' | 'text', unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
