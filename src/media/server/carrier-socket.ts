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
import { carrierDecoder, toCarrier } from '../legs/codec.ts';
import type { Wire } from '../playout/playout.ts';
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
  new CarrierStream({ deps, socket, session, background }).receive();
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
    // An unknown call is answered like a wrong token, so that nobody can count calls.
    socket.close(codeOfRefusal[opened.reason === 'unknown' ? 'wrong_token' : opened.reason]);
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

interface CarrierStreamParts {
  deps: StreamDeps;
  socket: Socket;
  session: Session;
  background: Background | null;
}

/** A carrier's stream, read message by message. */
class CarrierStream {
  readonly #deps: StreamDeps;
  readonly #socket: Socket;
  readonly #session: Session;
  readonly #background: Background | null;
  /** Null until the carrier sends the format. */
  #begun: BegunLeg | null = null;

  constructor({ deps, socket, session, background }: CarrierStreamParts) {
    this.#deps = deps;
    this.#socket = socket;
    this.#session = session;
    this.#background = background;
  }

  receive(): void {
    this.#socket.listen({
      text: (text) => this.#hear(text),
      bytes: () => undefined,
      closed: () => this.#session.report({ kind: 'closed' }),
      alive: () => undefined,
    });
  }

  #hear(text: string): void {
    const frame = readCarrierFrame(text);
    switch (frame.kind) {
      case 'start':
        return this.#start(frame.format);
      case 'media':
        this.#session.report({ kind: 'heard', atMs: this.#deps.clock.now() });
        return this.#begun?.heard.place(frame.media);
      case 'dtmf':
        return this.#begun?.leg.press(frame.digit);
      case 'mark':
        return this.#begun?.playout.onMark(frame.name);
      case 'stop':
        return this.#session.report({ kind: 'stopped' });
      case 'error':
        return this.#deps.log.warn(
          { callId: this.#session.callId, code: frame.code },
          'A carrier reported an error on a media socket',
        );
      case 'malformed':
        return this.#begun === null ? this.#refuse() : undefined; // one malformed message does not end a live call
      case 'nothing':
        return undefined;
    }
  }

  #start(format: MediaFormat): void {
    if (this.#begun !== null) return;
    const decode = carrierDecoder(format);
    if (decode === null) {
      this.#deps.log.error(
        { callId: this.#session.callId, encoding: format.encoding, sampleRate: format.sampleRate },
        'A carrier uses a codec that we do not support',
      );
      return this.#refuse();
    }
    this.#begun = beginLeg({
      deps: this.#deps,
      session: this.#session,
      sampleRate: toCarrier.sampleRate,
      decode,
      wire: carrierWire(this.#socket),
      background: this.#background,
      show: () => undefined,
    });
  }

  #refuse(): void {
    this.#socket.close(closeCodes.malformed);
    this.#session.report({ kind: 'closed' });
  }
}

function carrierWire(socket: Socket): Wire {
  return {
    send: (frame) => socket.sendText(mediaMessage(toCarrier.encode(frame))),
    mark: (name) => socket.sendText(markMessage(name)),
    clear: () => socket.sendText(clearMessage),
  };
}
