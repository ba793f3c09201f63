import { beginLeg } from '../legs/begin-leg.ts';
import { linear } from '../legs/codec.ts';
import type { GoneReason } from '../leg.ts';
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
 * played), `call-ended` and the `rtf-*` events. The browser sends `mark`, `dtmf` and `stop`.
 */
export interface BrowserRequest {
  agentId: number;
  callId: number;
  token: string;
}

const codec = linear(16_000);
/** A browser that is this far ahead of real time is disconnected. */
const maxAheadMs = 5000;

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

  function refuse(): void {
    socket.close(closeCodes.malformed);
    session.report({ kind: 'closed' });
  }

  function control(text: string): void {
    const message = messageIn(text);
    if (message?.type === 'mark' && typeof message.name === 'string') playout.onMark(message.name);
    else if (
      message?.type === 'dtmf' &&
      typeof message.digit === 'string' &&
      /^[0-9A-D*#]$/.test(message.digit)
    )
      leg.press(message.digit);
    else if (message?.type === 'stop') session.report({ kind: 'stopped' });
    else refuse();
  }

  socket.listen({
    text: control,
    bytes(bytes) {
      isAlive();
      heard.append(codec.decode(bytes));
      if (heard.lengthMs > deps.clock.now() - leg.beganAtMs + maxAheadMs) refuse();
    },
    closed: () => session.report({ kind: 'closed' }),
    alive: isAlive,
  });
}

function messageIn(text: string): { type?: unknown; name?: unknown; digit?: unknown } | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
