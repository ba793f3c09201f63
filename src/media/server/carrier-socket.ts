import { errorFields } from '../../runtime/error-fields.ts';
import type { StreamRequest } from '../../services/media/index.ts';
import {
  clearMessage,
  markMessage,
  mediaMessage,
  readCarrierFrame,
  type MediaFormat,
} from '../legs/carrier-frames.ts';
import { beginLeg, type BegunLeg } from '../legs/begin-leg.ts';
import { codecOf } from '../legs/codec.ts';
import type { Session } from '../sessions.ts';
import { closeCodes, codeOfEnd, codeOfRefusal } from './close-codes.ts';
import type { Background, StreamDeps } from './deps.ts';
import type { Socket } from './socket.ts';

/**
 * Serves a carrier's stream (contract 12.6): checks the token, reads the format of the stream, and then the
 * stream.
 */
export async function serveCarrier({
  deps,
  socket,
  request,
}: {
  deps: StreamDeps;
  socket: Socket;
  request: StreamRequest;
}): Promise<void> {
  const session = await sessionOf({ deps, socket, request });
  if (session === null) return;
  const background = await backgroundOf(deps, session);
  receive({ deps, socket, session, background });
}

async function sessionOf({
  deps,
  socket,
  request,
}: {
  deps: StreamDeps;
  socket: Socket;
  request: StreamRequest;
}): Promise<Session | null> {
  const opened = await deps.openStream(request);
  if (opened.kind === 'refused') {
    socket.close(codeOfRefusal[opened.reason]);
    return null;
  }
  const session = deps.sessions.find(request.callId, opened.generation);
  if (session?.connect((reason) => socket.close(codeOfEnd[reason])) === true) return session;
  socket.close(closeCodes.taken);
  return null;
}

/** Null also when the background cannot be read. */
export async function backgroundOf(
  { background, log }: StreamDeps,
  { callId, organizationId, generation }: Session,
): Promise<Background | null> {
  try {
    return await background({ callId, organizationId, generation });
  } catch (error) {
    log.warn(
      { callId, organizationId, error: errorFields(error) },
      'The background of a call cannot be read',
    );
    return null;
  }
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
  background: Background | null;
}): void {
  let begun: BegunLeg | null = null;

  function start(format: MediaFormat): void {
    if (begun !== null) return;
    const codec = codecOf(format);
    if (codec === null) {
      deps.log.error(
        { callId: session.callId, encoding: format.encoding.slice(0, 16), sampleRate: format.sampleRate },
        'A carrier uses a codec that we do not support',
      );
      return refuse();
    }
    const wire = {
      send: (frame: Int16Array) => socket.sendText(mediaMessage(codec.encode(frame))),
      mark: (name: string) => socket.sendText(markMessage(name)),
      clear: () => socket.sendText(clearMessage),
    };
    begun = beginLeg({
      deps,
      session,
      sampleRate: codec.sampleRate,
      decode: codec.decode,
      wire,
      background,
      show: () => undefined,
    });
  }

  function refuse(): void {
    socket.close(closeCodes.malformed);
    session.report({ kind: 'closed' });
  }

  function hear(text: string): void {
    const frame = readCarrierFrame(text);
    switch (frame.kind) {
      case 'start':
        return start(frame.format);
      case 'media':
        session.report({ kind: 'heard', atMs: deps.clock.now() });
        return begun?.heard.place(frame.media);
      case 'dtmf':
        return begun?.leg.press(frame.digit);
      case 'mark':
        return begun?.playout.onMark(frame.name);
      case 'stop':
        return session.report({ kind: 'stopped' });
      case 'error':
        return deps.log.warn(
          { callId: session.callId, code: frame.code },
          'A carrier reported an error on a media socket',
        );
      case 'malformed':
        return begun === null ? refuse() : undefined; // one malformed message does not end a live call
      case 'nothing':
        return undefined;
    }
  }

  socket.listen({
    text: hear,
    bytes: () => undefined,
    closed: () => session.report({ kind: 'closed' }),
    alive: () => undefined,
  });
}
