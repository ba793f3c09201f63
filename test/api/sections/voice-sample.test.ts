import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createListener } from '../../../emulators/modem/listener.ts';
import { readWav } from '../../../src/domain/audio/wav.ts';
import { defaultTts, type ResolvedTts } from '../../../src/domain/models/resolved-voice.ts';
import { readToday } from '../../../src/services/identity/index.ts';
import type { TtsPort } from '../../../src/providers/tts/port.ts';
import { at, createTenant, startApi, type ApiUnderTest } from '../../support/api-on-services.ts';
import { createTestDatabase, databases, type TestDatabase } from '../../support/database.ts';
import { startTtsBench, type TtsBench } from '../../support/tts-emulator.ts';

describe.each(databases)('samples of voices on %s (contract 13.2)', (kind) => {
  let database: TestDatabase;
  let bench: TtsBench;
  let api: ApiUnderTest;
  let key: string;
  let organizationId: number;
  let asked: ResolvedTts[];
  let portOf: (resolved: ResolvedTts) => TtsPort;

  beforeAll(async () => {
    database = await createTestDatabase(kind);
    bench = await startTtsBench();
    api = await startApi(database.db, {
      voices: {
        installed: defaultTts,
        portOf(resolved) {
          asked.push(resolved);
          return portOf(resolved);
        },
      },
    });
  });
  beforeEach(async () => {
    asked = [];
    portOf = ({ provider }) => bench.tts(provider);
    ({ key, organizationId } = await createTenant(database.db));
  });
  afterAll(async () => {
    await api.close();
    await bench.close();
    await database.drop();
  });

  const sample = (provider: string, body: unknown, as = key) =>
    api.ask(as, 'POST', `/user/configurations/voices/${provider}/sample`, body);

  /** The sample's words, as a person hears them. */
  async function heard(provider: string, body: unknown): Promise<string> {
    const answer = await fetch(`${api.url}/api/v1/user/configurations/voices/${provider}/sample`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'audio/wav']);
    const wav = readWav(new Uint8Array(await answer.arrayBuffer()));
    expect(wav?.sampleRate).toBe(24_000);
    const listener = createListener({ sampleRate: 24_000, onText: () => undefined });
    listener.push(wav?.tracks[0] ?? new Int16Array());
    listener.push(new Int16Array(24_000));
    return listener.text;
  }

  test('are WAV files of the text in the voice of the installation’s vendor, with language and speed', async () => {
    expect(await heard('google', { voice: 'Leda', text: ' Hello, this is Ava. ' })).toContain(
      'Hello, this is Ava.',
    );
    expect(await heard('google', { voice: 'Kore', language: 'en-GB', speed: 1.5 })).toContain('Hello!');
    expect(asked).toMatchObject([
      { voice: 'en-US-Chirp3-HD-Leda', key: null, speakingRate: 1 },
      { voice: 'en-GB-Chirp3-HD-Kore', key: null, speakingRate: 1.5 },
    ]);
  });

  test('use the key of the organization for its vendor, and that of no other organization', async () => {
    const tts = { provider: 'openai', voice: 'alloy', api_key: 'simulated-theirs' };
    const llm = { provider: 'openai', model: 'gpt-4.1-mini', api_key: 'simulated-theirs' };
    expect(await api.ask(key, 'PUT', '/user/configurations/user', { llm, tts })).toMatchObject({
      status: 200,
    });
    expect(await heard('openai', { voice: 'marin', text: 'Good morning.' })).toContain('Good morning.');
    expect(asked).toMatchObject([
      { provider: 'openai', voice: 'marin', key: { kind: 'api_key', value: 'simulated-theirs' } },
    ]);
    const { key: other } = await createTenant(database.db);
    expect(await sample('openai', { voice: 'marin' }, other)).toMatchObject({
      status: 400,
      body: { detail: expect.stringContaining('There is no key for the voices of openai') },
    });
  });

  test('are refused for unknown vendors and voices, and for texts of more than 200 characters', async () => {
    expect(await sample('espeak', { voice: 'Kore' })).toMatchObject({ status: 404 });
    for (const [field, body] of [
      ['voice', { voice: 'Nobody' }],
      ['voice', {}],
      ['text', { voice: 'Kore', text: 'a'.repeat(201) }],
      ['text', { voice: 'Kore', text: '  ' }],
      ['speed', { voice: 'Kore', speed: 3 }],
      ['language', { voice: 'Kore', language: 'English' }],
    ] as const) {
      const { status, body: refusal } = await sample('google', body);
      expect([field, status, at(refusal, 'detail', 0, 'loc')]).toEqual([field, 422, ['body', field]]);
    }
    expect(asked).toEqual([]);
  });

  test("count for the day's minutes of the installation's voices, those with an own key do not", async () => {
    const seconds = async () =>
      (await readToday({ db: database.db.manager, organizationId, now: new Date() })).use.talkedSeconds;
    await sample('google', { voice: 'Leda', text: 'Hello, this is Ava.' });
    const spoken = await seconds();
    expect(spoken).toBeGreaterThan(0);
    const own = { provider: 'openai', api_key: 'simulated-theirs' };
    await api.ask(key, 'PUT', '/user/configurations/user', {
      llm: { ...own, model: 'gpt-4.1-mini' },
      tts: { ...own, voice: 'alloy' },
    });
    expect((await sample('openai', { voice: 'marin' })).status).toBe(200);
    expect(await seconds()).toBe(spoken);
  });

  test('are 503 when the vendor does not answer', async () => {
    portOf = () => bench.tts('openai', { url: 'http://127.0.0.1:9/v1' });
    expect(await sample('google', { voice: 'Kore' })).toMatchObject({
      status: 503,
      body: { code: 'unavailable', detail: expect.stringMatching(/^The voice is not available: /) },
    });
  });

  test('are limited to twenty in a minute of an organization', async () => {
    const { key: other } = await createTenant(database.db);
    for (let count = 0; count < 20; count += 1)
      expect((await sample('google', { voice: 'Kore', text: 'Hi' })).status).toBe(200);
    const refused = await sample('google', { voice: 'Kore', text: 'Hi' });
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect((await sample('google', { voice: 'Kore', text: 'Hi' }, other)).status).toBe(200);
  });
});
