import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import { encodeSpeech } from '../../emulators/modem/encode-speech.ts';
import { createListener } from '../../emulators/modem/listener.ts';
import { bytesOf, samplesOf } from '../../src/domain/audio/pcm.ts';
import { at, completeGraph, idAt } from '../support/api-on-services.ts';
import { startPhoneService, type PhoneService } from '../support/phone-service.ts';
import { until } from '../support/until.ts';

let service: PhoneService;

beforeAll(async () => {
  service = await startPhoneService();
  service.startWorker();
  await service.startMedia();
});
afterAll(async () => await service.stop());

test('a browser hears the agent, is heard, sees events, and hangs up: whole processes, simulated voices and recognizers', async () => {
  const agent = await service.request('POST', '/workflow/create/definition', {
    name: 'In the browser',
    workflow_definition: completeGraph('Hello {{first_name}}, how are you?'),
  });
  const agentId = idAt(agent.body, 'id');
  await service.request('PUT', `/workflow/${agentId}`, { template_context_variables: { first_name: 'Ada' } });
  const made = await service.request('POST', `/workflow/${agentId}/runs`, { mode: 'web', name: 'Trying it' });
  expect(made).toMatchObject({ status: 200, body: { web_call: { expires_in: 120 } } });

  const ws = new WebSocket(idAt(made.body, 'web_call', 'url'), [
    'parlance',
    idAt(made.body, 'web_call', 'token'),
  ]);
  const messages: Record<string, unknown>[] = [];
  const listener = createListener({ sampleRate: 16_000, onText: () => undefined });
  ws.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return listener.push(samplesOf(data, 'little'));
    const message: Record<string, unknown> = JSON.parse(data.toString());
    messages.push(message);
    if (message['type'] === 'mark') ws.send(data.toString());
  });
  const closed = once(ws, 'close').then(([code]) => Number(code));
  await once(ws, 'open');
  const voice = speaker(ws);
  const shown = (type: string) =>
    messages.filter((message) => message['type'] === type).map(({ payload }) => payload);

  // A machine that is too busy to send in time tears words.
  await until('the greeting', () => Promise.resolve(/Hello Ada|how are you/.test(listener.text))).catch(
    (error: unknown) => {
      const types = messages.map(({ type }) => type).join(', ');
      throw new Error(`${String(error)}; heard: "${listener.text}"; events: ${types}`);
    },
  );
  await until('the end of the greeting', () =>
    Promise.resolve(shown('rtf-bot-stopped-speaking').length === 1),
  );
  const heard = listener.text.length;
  voice.say('I am fine, thank you.');
  await until('the recognized text', () =>
    Promise.resolve(
      shown('rtf-user-transcription').some(
        (payload) => at(payload, 'final') === true && String(at(payload, 'text')).includes('fine'),
      ),
    ),
  );
  await until('the answer', () => Promise.resolve(listener.text.length > heard + 10));
  ws.send(JSON.stringify({ type: 'stop' }));
  expect(await closed).toBe(1000);
  voice.stop();

  const path = `/workflow/${agentId}/runs/${idAt(made.body, 'id')}`;
  const run = await until('the record is complete', async () => {
    const { body } = await service.request('GET', path);
    return at(body, 'is_completed') === true ? body : undefined;
  });
  expect(run).toMatchObject({
    mode: 'web',
    call_type: 'inbound',
    disposition: 'user_hangup',
    initial_context: { first_name: 'Ada', direction: 'inbound' },
  });
});

test('a person without microphone and sound types a shipped agent to its end, by its sample replies', async () => {
  const templates = await service.request('GET', '/workflow/templates');
  const template = [templates.body].flat()[0];
  const copy = await service.request('POST', '/workflow/templates/duplicate', {
    template_id: at(template, 'id'),
    workflow_name: 'Typed',
  });
  const agentId = idAt(copy.body, 'id');
  const made = await service.request('POST', `/workflow/${agentId}/runs`, { mode: 'web', name: 'Typed' });
  const ws = new WebSocket(idAt(made.body, 'web_call', 'url'), [
    'parlance',
    idAt(made.body, 'web_call', 'token'),
  ]);
  const messages: Record<string, unknown>[] = [];
  const closed = once(ws, 'close').then(([code]) => Number(code));
  let node = 'opening';
  const left = new Map<string, string[]>(
    Object.entries(Object(at(template, 'sample_replies'))).map(([id, said]) => [
      id,
      [said].flat().map(String),
    ]),
  );
  ws.on('message', (data: Buffer, isBinary) => {
    if (isBinary) return;
    const message: Record<string, unknown> = JSON.parse(data.toString());
    messages.push(message);
    if (message['type'] === 'mark') ws.send(data.toString());
    if (message['type'] === 'rtf-node-transition') node = String(message['node_id']);
    if (message['type'] !== 'rtf-bot-stopped-speaking') return;
    const text = left.get(node)?.shift();
    if (text !== undefined) ws.send(JSON.stringify({ type: 'text', text }));
  });
  expect(await closed).toBe(1000);
  const shown = (type: string) => messages.filter((message) => message['type'] === type);
  expect(shown('rtf-user-transcription').map(({ payload }) => at(payload, 'text'))).toEqual([
    'Yes, this is Maria.',
    'I will be there.',
    "No, that's all. Thank you.",
  ]);
  expect(messages.at(-1)).toMatchObject({ type: 'call-ended', reason: 'released' });
  const path = `/workflow/${agentId}/runs/${idAt(made.body, 'id')}`;
  const run = await until('the record is complete', async () => {
    const { body } = await service.request('GET', path);
    return at(body, 'is_completed') === true ? body : undefined;
  });
  expect(run).toMatchObject({
    mode: 'web',
    disposition: 'appointment_confirmed',
    gathered_context: {
      confirmed: true,
      nodes_visited: ['Opening', 'Confirm the appointment', 'Last questions', 'Appointment confirmed'],
    },
  });
});

/** A microphone: silence and spoken text, 20 ms at a time in real time. */
function speaker(ws: WebSocket) {
  const quiet = new Int16Array(320);
  let waiting: Int16Array[] = [];
  const began = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    for (; sent * 20 < performance.now() - began; sent += 1)
      ws.send(bytesOf(waiting.shift() ?? quiet, 'little'));
  }, 20);
  return {
    say(text: string) {
      const samples = encodeSpeech(text, 16_000);
      for (let from = 0; from < samples.length; from += 320) waiting.push(samples.slice(from, from + 320));
    },
    stop() {
      clearInterval(timer);
      waiting = [];
    },
  };
}
