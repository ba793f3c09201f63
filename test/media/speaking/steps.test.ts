import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { encodeSpeech } from '../../../emulators/modem/encode-speech.ts';
import type { CallVoice } from '../../../src/media/speaking/voices.ts';
import { createClips } from '../../../src/providers/tts/clips.ts';
import type { CustomerLlm, LlmPort } from '../../../src/providers/llm/port.ts';
import { agentVersions } from '../../../src/db/tables/agent-versions.ts';
import { columns } from '../../../src/db/rows.ts';
import { sealerOf, settingsPlace } from '../../../src/services/kernel/sealed-text.ts';
import { ToolDefinition } from '../../../src/contract/tools.ts';
import { createTool } from '../../../src/services/agents/index.ts';
import { createTestContext, testSecrets } from '../../support/database.ts';
import { edge, node } from '../../support/definitions.ts';
import { voices } from '../../support/tts-emulator.ts';
import { until } from '../../support/until.ts';
import {
  answering,
  createSpeakingWorld,
  said,
  type SpeakingWorld,
} from '../../support/media/speaking-world.ts';

let world: SpeakingWorld;

beforeAll(async () => {
  world = await createSpeakingWorld();
});
afterAll(() => world.close());

const start = { name: 'Start', prompt: 'You are at the start.', allow_interrupt: true };
const definition = {
  nodes: [
    node('start', 'startCall', { ...start, greeting: 'Hi there.' }),
    node('bye', 'endCall', { name: 'Bye', prompt: 'Say goodbye.' }),
  ],
  edges: [edge('e', 'start', 'bye', 'done')],
};
const answer = { turnIndex: 1, nodeId: 'start', entry: { kind: 'utterance' as const } };
const asked = { pendingLines: [said('tell me')] };
const texts = ({ lines }: { lines: { text: string }[] }) => lines.map(({ text }) => text);

describe('the kinds of steps', () => {
  test('a goodbye says the closing line in full and does not listen afterwards', async () => {
    const call = await world.call({ definition });
    const step = await call.step(
      { turnIndex: 3, nodeId: 'start', entry: { kind: 'closing' }, mayMove: false, mayUseTools: false },
      { say: { kind: 'goodbye', reason: 'duration' }, listens: false },
    );
    await call.line.quiet(100);
    expect(call.line.heard()).toBe('I am sorry, our time for this call is over. Thank you and goodbye.');
    expect(step).toMatchObject({
      next: { kind: 'spoken' },
      lines: [{ kind: 'closing', text: call.line.heard() }],
    });
    expect(call.asked()).toEqual([]);
  });

  test('a given line is said word for word', async () => {
    const call = await world.call({ definition });
    const step = await call.step(answer, {
      say: { kind: 'line', text: 'I put you through now.' },
      listens: false,
    });
    await call.line.quiet(100);
    expect(call.line.heard()).toBe('I put you through now.');
    expect(texts(step)).toEqual(['I put you through now.']);
  });

  test('the model asks a silent caller whether they are there, and further silence ends the step as silence', async () => {
    const call = await world.call({
      definition,
      settings: { max_user_idle_timeout: 1 },
      rules: [{ name: 'there?', when: { systemText: 'still there' }, answer: { say: 'Are you there?' } }],
    });
    const silent = await call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    expect(silent.next).toEqual({ kind: 'silence' });
    const again = await call.step(
      { turnIndex: 1, nodeId: 'start', entry: { kind: 'silence' }, mayMove: false, mayUseTools: false },
      { say: { kind: 'check_in' } },
    );
    expect(call.line.heard()).toBe('Hi there. Are you there?');
    expect(again).toMatchObject({ lines: [{ text: 'Are you there?' }], next: { kind: 'silence' } });
  });

  test('keypad digits end a step', async () => {
    const call = await world.call({ definition });
    const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await call.line.hears('Hi there.');
    await call.line.quiet(400);
    for (const digit of '12#') call.line.press(digit);
    expect((await opening).next).toEqual({ kind: 'keypad', digits: '12', at: expect.any(String) });
  });

  test('the end of the leg ends a step with what was heard until then', async () => {
    const call = await world.call({
      definition,
      rules: [answering('tell me', { say: 'One two three four five. Six seven eight nine ten.' })],
    });
    const spoken = call.step(answer, asked);
    await call.line.hears('One two three');
    call.line.hangUp();
    const step = await spoken;
    expect(step.next).toEqual({ kind: 'gone' });
    expect('One two three four five. Six seven eight nine ten.'.startsWith(texts(step).join(' '))).toBe(true);
    expect((await call.step(answer, asked)).next).toEqual({ kind: 'gone' });
  });

  // guarantee: last-words-before-hangup-kept
  test('the words of a caller who hangs up at once end the step, and nobody answers them', async () => {
    const call = await world.call({ definition });
    const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await call.line.hears('Hi there.');
    await call.line.quiet(400);
    await call.line.say('please cancel it');
    await call.line.pause(100); // the sound of the last letter
    call.line.hangUp();
    expect(await opening).toMatchObject({
      lines: [{ text: 'Hi there.' }],
      next: { kind: 'utterance', text: 'please cancel it' },
    });
    expect((await call.step(answer, { pendingLines: [said('please cancel it')] })).next).toEqual({
      kind: 'gone',
    });
  });

  test('the end of the maximum duration ends a step in the middle of a sentence', async () => {
    const call = await world.call({
      definition,
      settings: { max_call_duration: 4 },
      rules: [
        answering('tell me', { say: 'This is a long story that would go on for ever and ever and ever.' }),
      ],
    });
    const step = await call.step(answer, asked);
    expect(step.next).toEqual({ kind: 'time_up' });
    expect((await call.step({ ...answer, turnIndex: 2 }, asked)).next).toEqual({ kind: 'time_up' });
  });

  test('a stopping host lets the agent finish and gives the call away when no one speaks', async () => {
    const call = await world.call({
      definition,
      rules: [answering('tell me', { say: 'I still say this.' })],
    });
    const spoken = call.step(answer, asked);
    await call.line.hears('I still');
    call.conversations.move();
    const step = await spoken;
    expect(step).toMatchObject({ lines: [{ text: 'I still say this.' }], next: { kind: 'moving' } });
    expect(await call.step({ ...answer, turnIndex: 2 }, asked)).toMatchObject({
      lines: [],
      next: { kind: 'moving' },
    });
  });

  // guarantee: draining-host-lets-caller-finish
  test("a stopping host hears a caller's answer to the end: the call leaves before the next reply", async () => {
    const call = await world.call({
      definition,
      rules: [answering('tell me', { say: 'What do you take?' })],
    });
    const spoken = call.step(answer, asked);
    await call.line.hears('What do');
    call.conversations.move();
    await call.line.hears('take?');
    await call.line.quiet(500);
    await call.line.say('I take the tea please');
    expect(await spoken).toMatchObject({ next: { kind: 'utterance', text: 'I take the tea please' } });
    expect(await call.step({ ...answer, turnIndex: 2 }, asked)).toMatchObject({
      lines: [],
      next: { kind: 'moving' },
    });
  });

  test('a canceled step falls silent', async () => {
    const call = await world.call({
      definition,
      rules: [answering('tell me', { say: 'One two three four five six seven eight nine ten.' })],
    });
    const cancelling = new AbortController();
    const spoken = call.conversations.speak(call.input(answer, asked), cancelling.signal);
    await call.line.hears('One two');
    cancelling.abort(new Error('told to end'));
    await expect(spoken).rejects.toThrow('told to end');
    await call.line.quiet(400);
    expect(call.line.heard()).not.toContain('ten');
  });

  test('a step that is broken off falls silent, and the next one is spoken at once', async () => {
    const call = await world.call({
      definition,
      rules: [answering('tell me', { say: 'One two three four five six seven eight nine ten.' })],
    });
    const spoken = call.step(answer, asked);
    await call.line.hears('One two');
    const { callId } = call;
    await call.conversations.stopStep({ callId, generation: 2 });
    await call.line.hears('three');
    await call.conversations.stopStep({ callId, generation: 1 });
    expect((await spoken).next).toEqual({ kind: 'gone' });
    await call.step(answer, { say: { kind: 'line', text: 'Please call back.' }, listens: false });
    await call.line.hears('Please call back.');
    expect(call.line.heard()).not.toContain('ten');
    await call.conversations.stopStep({ callId, generation: 1 });
  });
});

describe('recorded lines', () => {
  const recordings = {
    hello: { samples: encodeSpeech('Recorded hello.', 8000), text: 'Recorded hello.' },
    moving: { samples: encodeSpeech('Recorded move.', 8000), text: null },
  };
  const withAudio = {
    nodes: [
      node('start', 'startCall', { ...start, greeting_type: 'audio', greeting_recording_id: 'hello' }),
      node('ask', 'agentNode', { name: 'Ask', prompt: 'You ask for the day.' }),
    ],
    edges: [
      {
        ...edge('e', 'start', 'ask', 'done'),
        data: {
          ...edge('e', 'start', 'ask', 'done').data,
          transition_speech_type: 'audio',
          transition_speech_recording_id: 'moving',
        },
      },
    ],
  };

  test("are played as the greeting and at an edge, before the model's words", async () => {
    const call = await world.call({
      definition: withAudio,
      recordings,
      rules: [{ name: 'day', when: { systemText: 'You ask for the day' }, answer: { say: 'Which day?' } }],
    });
    const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await call.line.hears('Recorded hello.');
    call.conversations.move();
    expect((await opening).lines).toMatchObject([{ kind: 'greeting', text: 'Recorded hello.' }]);
    await call.lose();
    const moved = call.step(
      { turnIndex: 1, visitIndex: 1, nodeId: 'ask', entry: { kind: 'edge', edgeId: 'e' } },
      asked,
    );
    await call.line.hears('Recorded move. Which day?');
    call.line.hangUp();
    expect((await moved).lines).toMatchObject([
      { kind: 'transition_speech', text: '(recording)' },
      { kind: 'reply', text: 'Which day?' },
    ]);
  });

  test('of a call replace the greeting; a missing one leaves the opening to the model', async () => {
    const own = await world.call({
      definition,
      recordings,
      initialContext: { greeting_override: { type: 'audio', recording_id: 'hello' } },
    });
    const opening = own.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await own.line.hears('Recorded hello.');
    own.line.hangUp();
    await opening;
    const missing = await world.call({
      definition,
      recordings,
      initialContext: { greeting_override: { type: 'audio', recording_id: 'lost' } },
      model: [{ say: 'Hello by the model.' }],
    });
    const other = missing.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await missing.line.hears('Hello by the model.');
    missing.line.hangUp();
    expect((await other).lines).toMatchObject([{ kind: 'reply' }]);
  });
});

test('a greeting with a ready clip is heard without a request to a voice', async () => {
  const clips: CallVoice['clips'] = {
    ready: ({ text }) => encodeSpeech(text, 8000),
    prime: async () => undefined,
  };
  const call = await world.call({ definition, clips });
  await call.conversations.speak(
    call.input({ nodeId: 'start', entry: { kind: 'opening' } }, { listens: false }),
    new AbortController().signal,
  );
  const { usage, timings } = await call.step({ ...answer, entry: { kind: 'opening' } }, { listens: false });
  expect(call.line.heard()).toContain('Hi there.');
  expect(usage.tts).toEqual({});
  expect(timings?.ttsSentMs).toBeNull();
});

// guarantee: opening-audio-ready-at-answer
test('the first words of a call are synthesized while the phone rings: the greeting with its variables, and the fixed lines', async () => {
  const clips = createClips({ tts: world.voices.tts('google') });
  const call = await world.call({
    definition: {
      ...definition,
      nodes: [node('start', 'startCall', { ...start, greeting: 'Dear {{name}}, hello.' })],
      edges: [],
    },
    initialContext: { name: 'Ada' },
    clips,
  });
  call.conversations.prime({ callId: call.callId, organizationId: call.organizationId });
  const sound = (text: string) => clips.ready({ voice: voices.google, sampleRate: 8000, text });
  await until(
    'the last fixed line',
    async () => sound('Hello, we tried to reach you. We will call you again. Goodbye.') !== null,
  );
  const { usage, lines } = await call.step(
    { nodeId: 'start', entry: { kind: 'opening' } },
    { listens: false },
  );
  await call.line.quiet(100);
  expect(call.line.heard()).toBe('Dear Ada, hello.');
  expect(lines).toMatchObject([{ kind: 'greeting', text: 'Dear Ada, hello.' }]);
  expect(usage.tts).toEqual({});
});

test("a person's screen gets events while they happen", async () => {
  const call = await world.call({ definition, rules: [answering('what is up', { say: 'All fine.' })] });
  const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
  await call.line.hears('Hi there.');
  await call.line.quiet(300);
  await call.line.say('what is up');
  const { next } = await opening;
  if (next.kind !== 'utterance') throw new Error(next.kind);
  const reply = call.step(answer, { pendingLines: [said(next.text)] });
  await call.line.hears('All fine.');
  call.line.hangUp();
  await reply;
  const kinds = call.line.shown.map(({ type }) => type);
  expect(new Set(kinds)).toEqual(
    new Set([
      'rtf-node-transition',
      'rtf-user-mute-started',
      'rtf-user-mute-stopped',
      'rtf-bot-text',
      'rtf-bot-started-speaking',
      'rtf-bot-stopped-speaking',
      'rtf-user-transcription',
      'rtf-ttfb-metric',
      'rtf-latency-measured',
    ]),
  );
  expect(
    call.line.shown.find(
      ({ type, payload }) =>
        type === 'rtf-user-transcription' && JSON.stringify(payload).includes('"final":true'),
    ),
  ).toMatchObject({ turn: 0, node_id: 'start', node_name: 'Start', payload: { text: 'what is up' } });
});

// guarantee: browser-shown-running-tools
test("a person's screen shows tools while they run: the start when the model asks, the end with the result", async () => {
  const call = await world.call({
    definition,
    rules: [
      {
        name: 'tool',
        when: { nth: 1 },
        answer: { say: 'One second.', call: { tool: 'calculator', arguments: { expression: '1+1' } } },
      },
      { name: 'reply', when: {}, answer: { say: 'It is two.' } },
    ],
  });
  const ctx = { ...(await createTestContext(world.database.db)), organizationId: call.organizationId };
  const { tool_uuid } = await createTool({
    ctx,
    input: {
      name: 'calculator',
      description: 'Adds',
      icon: 'globe',
      iconColor: '#3B82F6',
      definition: ToolDefinition.parse({ type: 'calculator', config: {} }),
    },
  });
  const { versionId } = call.input({ nodeId: 'start', entry: { kind: 'opening' } });
  const withTool = {
    ...definition,
    nodes: definition.nodes.map((each) => ({ ...each, data: { ...each.data, tool_uuids: [tool_uuid] } })),
  };
  await world.database.db
    .getRepository(agentVersions)
    .update({ id: versionId }, columns({ definition: withTool }));
  const { toolCalls = [] } = await call.step(answer, asked);
  const shown = () => call.line.shown.filter(({ type }) => String(type).startsWith('rtf-function-call'));
  const [asks] = toolCalls;
  const begun = { function_name: 'calculator', tool_call_id: asks?.id, arguments: { expression: '1+1' } };
  expect(shown()).toMatchObject([
    { type: 'rtf-function-call-start', payload: begun, turn: 1, node_id: 'start' },
  ]);
  const record = {
    id: asks?.id ?? '',
    name: 'calculator',
    argumentsText: asks?.argumentsText ?? '',
    result: '{"status":"success","data":2}',
    startedAt: '2026-11-20T10:00:00.000Z',
    endedAt: '2026-11-20T10:00:01.000Z',
  };
  const next = call.step(answer, {
    ...asked,
    toolRounds: [{ atLine: 2, calls: [record, { ...record, id: 'second' }] }],
  });
  await call.line.hears('It is two.');
  call.line.hangUp();
  await next;
  expect(shown().slice(1)).toMatchObject([
    {
      type: 'rtf-function-call-end',
      timestamp: record.endedAt,
      payload: { function_name: 'calculator', tool_call_id: asks?.id, result: record.result },
    },
    { type: 'rtf-function-call-start', timestamp: record.startedAt, payload: { tool_call_id: 'second' } },
    { type: 'rtf-function-call-end', payload: { tool_call_id: 'second' } },
  ]);
});

test('an answering machine is recognized by its words', async () => {
  const call = await world.call({ definition, settings: { voicemail_detection: { enabled: true } } });
  const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
  await call.line.say('Please leave a message after the tone');
  // Its words may count as the caller's until the verdict; after that, the agent says nothing.
  const first = await opening;
  const { next, lines } =
    first.next.kind === 'utterance'
      ? await call.step(answer, { pendingLines: [said(first.next.text)] })
      : first;
  expect([first.lines, lines, next]).toEqual([[], [], { kind: 'voicemail' }]);
  expect(call.line.heard()).toBe('');
});

describe('an opening that the rules do not judge', () => {
  const strange = 'Bellweather four one nine';
  const machine = '{"machine": true}';
  /** The outcome of one call's first words, and the models that were asked. */
  async function judgedBy(voicemail: Record<string, unknown>) {
    const call = await world.call({
      definition,
      rules: [
        { name: 'opening', when: { systemText: 'picked up or a machine did' }, answer: { say: machine } },
        { name: 'reply', when: {}, answer: { say: 'Fine.' } },
      ],
    });
    const { organizationId, deps } = call;
    const chosen: CustomerLlm[] = [];
    const models: string[] = [];
    const brought: LlmPort = {
      simulated: true,
      provider: 'groq',
      async *stream({ model }) {
        models.push(model);
        yield await Promise.resolve({ kind: 'text' as const, text: machine });
      },
    };
    Object.assign(deps.conversation, {
      customerLlms: (choice: CustomerLlm) => (chosen.push(choice), brought),
    });
    const { versionId } = call.input({ nodeId: 'start', entry: { kind: 'opening' } });
    const settings = {
      voicemail_detection: {
        enabled: true,
        ...voicemail,
        ...('api_key' in voicemail
          ? { api_key: sealerOf(testSecrets, settingsPlace(organizationId))(String(voicemail['api_key'])) }
          : {}),
      },
    };
    await world.database.db.getRepository(agentVersions).update({ id: versionId }, columns({ settings }));
    const opening = call.step({ nodeId: 'start', entry: { kind: 'opening' } });
    await call.line.say(strange);
    const first = await opening;
    const { next } =
      first.next.kind === 'utterance'
        ? await call.step(answer, { pendingLines: [said(first.next.text)] })
        : first;
    const openings = call
      .asked()
      .filter(({ messages }) =>
        messages.some(({ content }) => content.includes('picked up or a machine did')),
      );
    await call.end();
    return { next: next.kind, chosen, models, ownAsked: openings.length };
  }

  // guarantee: voicemail-judged-by-own-model
  test("is judged by the model of voicemail_detection with its own key, and not by the agent's", async () => {
    const judged = await judgedBy({
      use_workflow_llm: false,
      provider: 'groq',
      model: 'small',
      api_key: 'gsk-voicemail',
    });
    expect(judged).toEqual({
      next: 'voicemail',
      chosen: [{ provider: 'groq', apiKey: 'gsk-voicemail', endpoint: null }],
      models: ['small'],
      ownAsked: 0,
    });
  });

  test("is judged by the agent's own model unless the settings say otherwise", async () => {
    expect(await judgedBy({ provider: 'groq', model: 'small', api_key: 'gsk-voicemail' })).toEqual({
      next: 'voicemail',
      chosen: [],
      models: [],
      ownAsked: 1,
    });
  });

  test("counts as a person's if the model of voicemail_detection is incomplete, and no model is asked", async () => {
    expect(await judgedBy({ use_workflow_llm: false, provider: 'groq', model: 'small' })).toMatchObject({
      next: expect.not.stringMatching('voicemail'),
      chosen: [],
      ownAsked: 0,
    });
  });
});
