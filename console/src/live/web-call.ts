import {
  afterClose,
  afterMessage,
  afterNoAnswer,
  type CallMessage,
  type CallView,
  emptyView,
  isOver,
} from './call-view.ts';

/** A conversation that a screen shows and drives, over a socket or by text. */
export interface LiveCall {
  get: () => CallView;
  subscribe: (listener: () => void) => () => void;
  /** Words that the person typed. */
  say: (text: string) => void;
  /** A key: `0`–`9`, `*`, `#`. */
  press: (digit: string) => void;
  hangUp: () => void;
  /** Lets go of everything, such as when the screen is left. */
  close: () => void;
}

/** What the client uses of a WebSocket. */
export interface CallSocket {
  readonly readyState: number;
  send: (data: string | Int16Array<ArrayBuffer>) => void;
  close: () => void;
  addEventListener: {
    (type: 'message', listener: (event: { data: unknown }) => void): void;
    (type: 'close', listener: (event: { code: number }) => void): void;
  };
}

/** Where the agent's sound goes. */
export interface Speaker {
  play: (samples: Int16Array) => void;
  /** Drops what has not been played. */
  clear: () => void;
  /** Milliseconds until everything that was given has been played. Time passes also when nothing is heard. */
  pendingMs: () => number;
}

export interface WebCallOptions {
  /** Opens the socket of the call, again with the same token if the host had no place. */
  open: () => CallSocket;
  speaker: Speaker;
  nowMs: () => number;
  /** Runs `act` after some milliseconds. */
  later: (act: () => void, ms: number) => void;
}

const isOpen = 1;
/** Pause before a host that had no place is asked again: many are only busy for a moment. */
const againMs = 1000;
/** Maximum wait for the media host's first message. */
export const connectMs = 15_000;
const maxTypedCharacters = 2000;

/**
 * A call over the socket of docs/web-calls.md. Begins when the socket opens, and is given up if no host takes it in
 * time.
 */
export function startWebCall({ open, speaker, nowMs, later }: WebCallOptions): LiveCall & {
  /** Sound of the microphone: PCM16 with 16,000 samples per second. */
  hear: (samples: Int16Array<ArrayBuffer>) => void;
} {
  const untilMs = nowMs() + connectMs;
  let view = emptyView;
  let isClosed = false;
  const listeners = new Set<() => void>();
  const change = (next: CallView): void => {
    if (next === view) return;
    view = next;
    for (const each of listeners) each();
  };
  const send = (message: object): void => {
    if (socket.readyState === isOpen) socket.send(JSON.stringify(message));
  };

  const receive = (data: unknown): void => {
    if (data instanceof ArrayBuffer) return speaker.play(new Int16Array(data));
    const message = parsed(data);
    if (message === null) return;
    // A mark is answered when the sound before it has been heard: the agent's turn ends with it.
    if (message.type === 'mark')
      return later(() => send({ type: 'mark', name: message['name'] }), speaker.pendingMs());
    if (message.type === 'clear') speaker.clear();
    change(afterMessage(view, message, nowMs()));
  };
  const end = (code: number): void => {
    if (view.phase === 'connecting' && view.fault?.code === 'host_full' && nowMs() + againMs < untilMs)
      return later(() => {
        if (!isClosed && !isOver(view)) socket = connect();
      }, againMs);
    speaker.clear();
    change(afterClose(view, code, nowMs()));
  };
  const connect = (): CallSocket => {
    change({ ...view, fault: null });
    const opened = open();
    opened.addEventListener('message', ({ data }) => receive(data));
    opened.addEventListener('close', ({ code }) => end(code));
    return opened;
  };
  let socket = connect();
  later(() => {
    if (view.phase !== 'connecting') return;
    change(afterNoAnswer(view, nowMs()));
    socket.close();
  }, connectMs);

  return {
    get: () => view,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    say: (text) => {
      const words = text.trim().slice(0, maxTypedCharacters);
      if (words !== '') send({ type: 'text', text: words });
    },
    press: (digit) => send({ type: 'dtmf', digit }),
    hangUp: () => (isOver(view) ? undefined : send({ type: 'stop' })),
    close: () => {
      isClosed = true;
      listeners.clear();
      speaker.clear();
      socket.close();
    },
    hear: (samples) => {
      if (socket.readyState === isOpen) socket.send(samples);
    },
  };
}

function parsed(data: unknown): CallMessage | null {
  if (typeof data !== 'string') return null;
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' && value !== null && 'type' in value ? (value as CallMessage) : null;
  } catch {
    return null;
  }
}
