import { describe, expect, test } from '@jest/globals';
import {
  afterClose,
  afterMessage,
  emptyView,
  type CallMessage,
} from '../../../console/src/live/call-view.ts';
import { connectMs, startWebCall, type CallSocket } from '../../../console/src/live/web-call.ts';

const after = (...messages: CallMessage[]) =>
  messages.reduce((view, message, index) => afterMessage(view, message, 1000 + index * 100), emptyView);
const bot = (text: string) => ({ type: 'rtf-bot-text', payload: { text } });
const person = (text: string, final = true) => ({ type: 'rtf-user-transcription', payload: { text, final } });

describe('the view of a call', () => {
  test('makes one bubble of the clauses of an answer and replaces words that were not final', () => {
    const { said } = after(
      { type: 'started' },
      bot('Hello.'),
      bot('Who is there?'),
      person('It', false),
      person('It is me'),
    );
    expect(said).toEqual([
      { who: 'agent', text: 'Hello. Who is there?', isFinal: true, isCut: false },
      { who: 'caller', text: 'It is me', isFinal: true, isCut: false },
    ]);
  });

  test('marks an interrupted line, and begins a new one after it', () => {
    const { said } = after(bot('One.'), { type: 'rtf-bot-started-speaking' }, { type: 'clear' }, bot('Two.'));
    expect(said.map(({ text, isCut }) => [text, isCut])).toEqual([
      ['One.', true],
      ['Two.', false],
    ]);
  });

  test("takes the host's latency before its own, with the time of the model", () => {
    const view = after(
      { type: 'started' },
      person('Yes'),
      { type: 'rtf-ttfb-metric', payload: { processor: 'llm', ttfb_seconds: 0.06 } },
      { type: 'rtf-bot-started-speaking' },
    );
    expect(view.lastWait).toEqual({ totalMs: 200, modelMs: 60 });
    const measured = afterMessage(
      view,
      { type: 'rtf-latency-measured', payload: { latency_seconds: 0.15 } },
      2000,
    );
    expect(measured.lastWait).toEqual({ totalMs: 150, modelMs: 60 });
  });

  test('keeps the path with the time since the call began', () => {
    const enter = (id: string) => ({ type: 'rtf-node-transition', payload: { node_id: id, node_name: id } });
    expect(after({ type: 'started' }, enter('a'), enter('b')).path).toEqual([
      { nodeId: 'a', name: 'a', atMs: 100 },
      { nodeId: 'b', name: 'b', atMs: 200 },
    ]);
  });

  test.each([
    { code: 1000, messages: [{ type: 'started' }], phase: 'ended' },
    { code: 1006, messages: [{ type: 'started' }], phase: 'lost' },
    {
      code: 4401,
      messages: [{ type: 'error', payload: { error_type: 'invalid_token', message: 'no' } }],
      phase: 'refused',
    },
    {
      code: 1006,
      messages: [{ type: 'started' }, { type: 'call-ended', reason: 'released' }],
      phase: 'ended',
    },
  ])('is $phase after the close code $code', ({ code, messages, phase }) => {
    expect(afterClose(after(...messages), code, 2000)).toMatchObject({ phase, isAnswering: false });
  });
});

describe('a web call', () => {
  const notJson = 'no JSON';
  const world = () => {
    const sent: unknown[] = [];
    let [opened, closed, atMs] = [0, 0, 1000];
    const delayed: { act: () => void; ms: number }[] = [];
    const listeners = new Map<string, (event: { data: unknown; code: number }) => void>();
    const socket: CallSocket = {
      readyState: 1,
      send: (data) => void sent.push(typeof data === 'string' ? JSON.parse(data) : data),
      close: () => void (closed += 1),
      addEventListener: (type: string, listener: (event: { data: unknown; code: number }) => void) =>
        void listeners.set(type, listener),
    };
    let pendingMs = 0;
    const speaker = {
      play: (samples: Int16Array) => void (pendingMs += samples.length / 16),
      clear: () => void (pendingMs = 0),
      pendingMs: () => pendingMs,
    };
    const call = startWebCall({
      open: () => {
        opened += 1;
        return socket;
      },
      speaker,
      nowMs: () => atMs,
      later: (act, ms) => void delayed.push({ act, ms }),
    });
    const receive = (data: unknown) =>
      listeners.get('message')?.({
        data: data instanceof ArrayBuffer || data === notJson ? data : JSON.stringify(data),
        code: 0,
      });
    /** The host has no place for the call. */
    const refuse = (errorType: string, code = 1013) => {
      receive({ type: 'error', payload: { error_type: errorType, message: 'no place' } });
      listeners.get('close')?.({ data: undefined, code });
    };
    return {
      sent,
      delayed,
      socket,
      call,
      receive,
      refuse,
      timesOpened: () => opened,
      timesClosed: () => closed,
      pass: (ms: number) => void (atMs += ms),
    };
  };

  test.each([
    { what: 'is given up when the host does not take it in time', messages: [], phase: 'refused', closed: 1 },
    { what: 'goes on when the host took it', messages: [{ type: 'started' }], phase: 'talking', closed: 0 },
  ])('$what', ({ messages, phase, closed }) => {
    const { delayed, call, receive, timesClosed } = world();
    for (const each of messages) receive(each);
    delayed[0]?.act();
    expect([call.get().phase, timesClosed()]).toEqual([phase, closed]);
  });

  test('asks a host that has no place again until the time is over, and says then why it was refused', () => {
    const { delayed, call, receive, refuse, timesOpened, pass } = world();
    refuse('host_full');
    expect(call.get()).toMatchObject({ phase: 'connecting' });
    pass(1000);
    delayed.at(-1)?.act();
    expect([timesOpened(), call.get().fault]).toEqual([2, null]);
    refuse('host_full');
    pass(1000);
    delayed.at(-1)?.act();
    receive({ type: 'started' });
    expect(call.get()).toMatchObject({ phase: 'talking', fault: null });

    const late = world();
    late.pass(connectMs - 500);
    late.refuse('host_full');
    expect(late.call.get()).toMatchObject({ phase: 'refused', fault: { code: 'host_full' } });
    const left = world();
    left.refuse('host_full');
    left.call.close();
    left.delayed.at(-1)?.act();
    expect(left.timesOpened()).toBe(1);
  });

  test('says at once that there are too many calls, which no wait of seconds changes', () => {
    const { call, refuse } = world();
    refuse('concurrency_limit_exceeded');
    expect(call.get()).toMatchObject({ phase: 'refused', fault: { code: 'concurrency_limit_exceeded' } });
  });

  test('sends a mark back when the sound before it has been played', () => {
    const { sent, delayed, receive } = world();
    receive(new Int16Array(1600).buffer);
    receive({ type: 'mark', name: 'clause-1' });
    expect(delayed.map(({ ms }) => ms)).toEqual([connectMs, 100]);
    expect(sent).toEqual([]);
    delayed[1]?.act();
    expect(sent).toEqual([{ type: 'mark', name: 'clause-1' }]);
  });

  test('sends typed words trimmed, keys, sound and the end, and nothing to a closed socket', () => {
    const { sent, socket, call } = world();
    call.say('  Yes, please. ');
    call.say('   ');
    call.press('5');
    call.hear(new Int16Array(2));
    call.hangUp();
    expect(sent).toEqual([
      { type: 'text', text: 'Yes, please.' },
      { type: 'dtmf', digit: '5' },
      new Int16Array(2),
      { type: 'stop' },
    ]);
    Object.assign(socket, { readyState: 3 });
    call.say('Hello?');
    expect(sent).toHaveLength(4);
  });

  test('notifies its listeners of every change until they leave, and survives messages that are not JSON', () => {
    const { call, receive } = world();
    const phases: string[] = [];
    const leave = call.subscribe(() => phases.push(call.get().phase));
    receive({ type: 'started' });
    receive(notJson);
    receive({ type: 'call-ended', reason: 'released' });
    leave();
    receive({ type: 'started' });
    expect(phases).toEqual(['talking', 'ended']);
  });
});
