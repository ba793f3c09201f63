import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '../../src/db/data-source.ts';
import { callSeats } from '../../src/db/tables/call-seats.ts';
import { organizations } from '../../src/db/tables/organizations.ts';
import { readWav } from '../../src/domain/audio/wav.ts';
import { createSecretBox } from '../../src/providers/secrets/aes-gcm.ts';
import { tokenPlace } from '../../src/services/media/deps.ts';
import { createTemporalClient } from '../../src/temporal/connection.ts';
import { at, completeGraph, idAt } from '../support/api-on-services.ts';
import { bucketEnvironment, startTestBucket, type TestBucket } from '../support/bucket.ts';
import { eventually, type RunningProcess } from '../support/process.ts';
import { startPhoneService, type MediaProcess, type PhoneService } from '../support/phone-service.ts';
import { scanHistories } from '../support/scan.ts';

/**
 * One outgoing and one incoming call, between people with numbers and words of their own. Afterwards all
 * output, metrics and answers of the roles are searched.
 */

const person = { mark: `qz${randomBytes(4).toString('hex')}`, out: '12025550177', into: '12025550188' };
const graph = completeGraph('Hello, who is there?');
/**
 * Secrets of a speech service, a carrier account and a stream: they may appear in no log, metric, history or
 * answer.
 */
const secrets: Record<string, string> = {
  'key of the speech recognition': `simulated-${randomBytes(9).toString('hex')}`,
};

let service: PhoneService;
let worker: RunningProcess;
let media: MediaProcess;
let db: DataSource;
let bucket: TestBucket;
let organization: { id: number; uuid: string };
/** Ids of the calls. */
let runs: string[] = [];
let agentId: string;

beforeAll(async () => {
  bucket = await startTestBucket();
  secrets['key of the bucket'] = bucket.settings.secretAccessKey;
  service = await startPhoneService({
    env: {
      PARLANCE_LOG_LEVEL: 'trace',
      PARLANCE_SIGNUP_ENABLED: 'true',
      TELNYX_API_KEY: secrets['key of the speech recognition'] ?? '',
      ...bucketEnvironment(bucket),
    },
  });
  worker = service.startWorker();
  media = await service.startMedia();
  db = await createDataSource({ url: service.env['DATABASE_URL'] ?? '', poolSize: 2 });
  secrets['API key'] = service.apiKey;
});
afterAll(async () => {
  await service.stop();
  await db.destroy();
  await bucket.close();
});

const found = (text: string, marks: Record<string, string>) =>
  Object.entries(marks)
    .filter(([, value]) => text.includes(value))
    .map(([what]) => what);
const printed = () => [service.api, worker, media].map((role) => role.output()).join('\n');
const listed = async () => (await service.request('GET', `/workflow/${agentId}/runs`)).body;

async function over(count: number): Promise<void> {
  await eventually(
    `the end of ${count} calls`,
    async () => {
      const shown = [at(await listed(), 'runs')].flat();
      runs = shown.map((each) => idAt(each, 'id'));
      return shown.length === count && shown.every((each) => at(each, 'is_completed') === true)
        ? true
        : undefined;
    },
    { detail: () => JSON.stringify(runs) },
  );
}

describe('a phone call', () => {
  test('is made: outgoing, incoming, with an unsigned event', async () => {
    const steps = [
      { do: 'answer' as const },
      // A pause of an overloaded host is not the end of its agent's words.
      { do: 'expectHeard' as const, pattern: 'who is there' },
      { do: 'say' as const, text: `this is ${person.mark}` },
      { do: 'expectHeard' as const, pattern: 'language model' },
      { do: 'hangup' as const },
    ];
    const { configurationId, numberId, number } = await service.connect();
    const agent = await service.request('POST', '/workflow/create/definition', {
      name: 'Phones',
      workflow_definition: graph,
    });
    agentId = idAt(agent.body, 'id');
    await service.request(
      'PUT',
      `/organizations/telephony-configs/${configurationId}/phone-numbers/${numberId}`,
      { inbound_workflow_id: Number(agentId) },
    );
    organization = await db.getRepository(organizations).findOneOrFail({ where: {}, order: { id: 'ASC' } });

    await service.carrier.setPersonas(`+${person.out}`, [{ name: 'called', steps }]);
    expect(
      await service.request('POST', '/telephony/initiate-call', {
        workflow_id: Number(agentId),
        phone_number: person.out,
      }),
    ).toMatchObject({ status: 200 });
    await over(1);
    await service.carrier.callIn({
      from: `+${person.into}`,
      to: number,
      persona: { name: 'calling', steps: steps.slice(1) },
    });
    await over(2);
    const forged = {
      data: {
        event_type: 'call.answered',
        id: 'forged',
        occurred_at: new Date().toISOString(),
        payload: { from: `+${person.out}`, call_control_id: 'x' },
      },
    };
    expect(await service.request('POST', `/telephony/telnyx/events/${runs[0] ?? ''}`, forged)).toMatchObject({
      status: 401,
    });

    const box = createSecretBox(service.env['PARLANCE_ENCRYPTION_KEYS'] ?? '');
    const seats = await db.getRepository(callSeats).find();
    for (const [index, { tokenEncrypted }] of seats.entries())
      secrets[`token of stream ${index}`] = box.open(tokenEncrypted, tokenPlace(organization.id));
    expect(seats).toHaveLength(2);
    expect(Object.values(secrets).every((secret) => secret.length > 12)).toBe(true);
    // The searched words were really said: both sides were heard.
    const said = await Promise.all(
      runs.map(async (run) =>
        JSON.stringify((await service.request('GET', `/workflow/${agentId}/runs/${run}`)).body),
      ),
    );
    for (const text of said) expect(text).toContain(person.mark);
  });

  test('is recorded into the bucket by its media host, joined there by a worker, and read from there through a link of the API', async () => {
    for (const [index, run] of runs.entries()) {
      const link = await eventually('the recording is joined', async () => {
        const { status, body } = await service.request('GET', `/s3/signed-url?key=recordings/${run}.wav`);
        return status === 200 ? idAt(body, 'url') : undefined;
      });
      secrets[`signature of link ${index}`] = new URL(link).searchParams.get('X-Amz-Signature') ?? '';
      expect(link.startsWith(`${bucket.emulator.url}/`)).toBe(true);
      const wav = readWav(Buffer.from(await (await fetch(link)).arrayBuffer()));
      expect(wav?.tracks[0]?.length).toBeGreaterThan(8000);
    }
    expect([...bucket.emulator.bucket.objects.keys()].toSorted()).toEqual(
      runs
        .flatMap((run) => [
          `recordings/${run}.wav`,
          `recordings/${run}/bot.wav`,
          `recordings/${run}/user.wav`,
        ])
        .toSorted(),
    );
  });

  test('leaves no number, key, token or spoken word in the output of any role at `trace`', () => {
    const logs = printed();
    for (const role of ['api', 'worker', 'media']) expect(logs).toContain(`"role":"${role}"`);
    expect(found(logs, { ...secrets, ...person })).toEqual([]);
  });

  test('leaves none in any metric', async () => {
    const health = (role: RunningProcess) =>
      `http://127.0.0.1:${/"port":(\d+),"msg":"The health server is listening"/.exec(role.output())?.[1] ?? ''}`;
    const texts = await Promise.all(
      [health(service.api), health(worker), media.healthUrl].map(
        async (url) => await (await fetch(`${url}/metrics`)).text(),
      ),
    );
    for (const text of texts) expect(text.split('\n').length).toBeGreaterThan(100);
    expect(found(texts.join('\n'), { ...secrets, ...person })).toEqual([]);
    expect(texts.join('\n')).toMatch(
      /parlance_carrier_commands_total\{[^}]*command="dial"[^}]*command_outcome="done"[^}]*\} 1/,
    );
  });

  test("leaves no number, key or token in Temporal's histories, which contain only words, as docs/architecture.md says", async () => {
    const temporal = createTemporalClient({
      address: service.env['TEMPORAL_ADDRESS'] ?? '',
      namespace: service.namespace,
    });
    try {
      const marked = async (marks: string[]) =>
        await eventually('histories are listed', async () => ({
          found: await scanHistories(temporal, organization.uuid, marks),
        }));
      expect((await marked([person.mark])).found).toHaveLength(2);
      expect((await marked([...Object.values(secrets), person.out, person.into])).found).toEqual([]);
    } finally {
      await temporal.close();
    }
  });

  test('is invisible to another organization', async () => {
    const signed = await service.request('POST', '/auth/signup', {
      email: 'eve@example.com',
      name: 'Eve',
      password: 'a-long-password-of-eve',
    });
    const headers = { 'X-API-Key': '', authorization: `Bearer ${idAt(signed.body, 'token')}` };
    const paths = [
      ...runs.flatMap((run) => [
        `/workflow/${agentId}/runs/${run}`,
        `/s3/signed-url?key=recordings/${run}.wav`,
        `/s3/file-metadata?key=transcripts/${run}.txt`,
      ]),
      '/organizations/usage/runs?page=1&limit=50',
      '/organizations/telephony-configs',
      '/organizations/audit-log',
      '/workflow/fetch',
    ];
    for (const path of paths) {
      const answer = await fetch(`${service.apiUrl}/api/v1${path}`, {
        headers: { authorization: headers.authorization },
      });
      const text = await answer.text();
      expect({ path, status: answer.status, leaks: found(text, { ...secrets, ...person }) }).toEqual({
        path,
        status: path.includes('runs/') || path.startsWith('/s3/') ? 404 : 200,
        leaks: [],
      });
    }
  });
});
