import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { NativeConnection, Worker } from '@temporalio/worker';
import { pino } from 'pino';
import type { DataSource } from 'typeorm';
import { WebSocket } from 'ws';
import { createDataSource } from '../../src/db/data-source.ts';
import { callRecordings } from '../../src/db/tables/call-recordings.ts';
import { callSeats } from '../../src/db/tables/call-seats.ts';
import { mediaHosts } from '../../src/db/tables/media-hosts.ts';
import type { ClaimSeatOutcome } from '../../src/domain/call/voice.ts';
import { timeoutsMs } from '../../src/domain/declaration.ts';
import { createSecretBox } from '../../src/providers/secrets/aes-gcm.ts';
import { HostWatch, streamUrl, watchMediaHosts } from '../../src/services/media/index.ts';
import { createTemporalClient, type TemporalClient } from '../../src/temporal/connection.ts';
import { createTestContext } from '../support/database.ts';
import { connectCarrier } from '../support/media/carrier-client.ts';
import { insertPhoneCall, type PhoneCall } from '../support/media/phone-call.ts';
import { freePort, startWholeService, type WholeService } from '../support/whole-service.ts';
import type { RunningProcess } from '../support/process.ts';
import { quietRuntime } from '../support/quiet.ts';
import { keepRunning } from '../support/temporal.ts';
import { until } from '../support/until.ts';

describe('media hosts as processes', () => {
  let service: WholeService;
  let db: DataSource;
  let temporal: TemporalClient;
  let asking: ReturnType<typeof keepRunning>;
  let files: string;

  beforeAll(async () => {
    quietRuntime();
    files = await mkdtemp(join(tmpdir(), 'parlance-media-'));
    service = await startWholeService({ env: { PARLANCE_FILES_DIRECTORY: files } });
    db = await createDataSource({ url: service.env['DATABASE_URL'] ?? '' });
    temporal = createTemporalClient({
      address: service.env['TEMPORAL_ADDRESS'] ?? '',
      namespace: service.namespace,
    });
    const connection = await NativeConnection.connect({ address: service.env['TEMPORAL_ADDRESS'] ?? '' });
    const worker = await Worker.create({
      connection,
      namespace: service.namespace,
      taskQueue: 'asking',
      workflowsPath: fileURLToPath(new URL('../support/media/ask-workflow.ts', import.meta.url)),
    });
    asking = keepRunning(connection, [worker]);
  });
  afterAll(async () => {
    await asking.stop();
    await temporal.close();
    await db.destroy();
    await service.stop();
    await rm(files, { recursive: true });
  });

  const ask = async <Answer>(activity: string, taskQueue: string, input: object): Promise<Answer> =>
    await temporal.client.workflow.execute('askWorkflow', {
      taskQueue: 'asking',
      workflowId: randomUUID(),
      args: [{ activity, taskQueue, input }],
    });
  const claim = async ({ callId, organizationId }: PhoneCall, generation: number) =>
    await ask<ClaimSeatOutcome>('claimSeat', 'parlance-seat', { callId, organizationId, generation });
  /** On a busy machine a late host refuses seats for some time. */
  const claimed = async (phoneCall: PhoneCall, generation: number) =>
    await until('a place', async () => {
      const outcome = await claim(phoneCall, generation);
      return outcome.kind === 'full' ? undefined : outcome;
    });
  const urlOf = async ({ callId, organizationId }: PhoneCall, generation: number) =>
    await streamUrl({
      deps: { db, secrets: createSecretBox(service.env['PARLANCE_ENCRYPTION_KEYS'] ?? '') },
      input: { callId, organizationId, generation },
    });
  const call = async (): Promise<PhoneCall> =>
    await insertPhoneCall({ ...(await createTestContext(db)), db });

  async function startHost(): Promise<RunningProcess & { hostId: string }> {
    const port = await freePort();
    const publicUrl = `ws://127.0.0.1:${port}`;
    const running = service.startRole('src/media/main.ts', {
      PARLANCE_MEDIA_PORT: String(port),
      PARLANCE_MEDIA_HEALTH_PORT: '0',
      PARLANCE_MEDIA_PUBLIC_URL: publicUrl,
      PARLANCE_MEDIA_DRAIN_MS: '8000',
    });
    await until('the media host takes calls', () =>
      Promise.resolve(running.output().includes('The media host takes calls')),
    );
    const { id } = await db.getRepository(mediaHosts).findOneByOrFail({ publicUrl });
    return { ...running, hostId: id };
  }

  test("seat a call, admit the carrier's stream, record it, and end the stream when the seat is released", async () => {
    const host = await startHost();
    const phoneCall = await call();
    expect(await claimed(phoneCall, 1)).toEqual({
      kind: 'seated',
      seat: { hostId: host.hostId, hostQueue: `parlance-media-${host.hostId}`, generation: 1 },
    });
    const carrier = await connectCarrier(await urlOf(phoneCall, 1));
    carrier.start();
    for (let chunk = 1; chunk <= 40; chunk += 1) carrier.media(chunk, new Int16Array(160).fill(chunk * 100));
    await until(
      'media have begun',
      async () =>
        (await db.getRepository(callSeats).findOneByOrFail({ callId: phoneCall.callId })).mediaBeganAt !==
        null,
    );
    await ask('releaseSeat', `parlance-media-${host.hostId}`, {
      callId: phoneCall.callId,
      organizationId: phoneCall.organizationId,
      generation: 1,
    });
    expect(await carrier.closed).toBe(1000);
    const piece = await until('the recording is complete', async () => {
      const found = await db.getRepository(callRecordings).findOneByOrFail({ callId: phoneCall.callId });
      return found.endedAt === null ? undefined : found;
    });
    const bytes = await readFile(join(files, piece.storageKey));
    expect(piece).toMatchObject({ generation: 1, sampleRate: 8000 });
    expect(bytes.length).toBeGreaterThanOrEqual(40 * 160 * 4);
    expect(
      new Set(
        [...new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)].filter(
          (_, index) => index % 2 === 1,
        ),
      ),
    ).toEqual(new Set([0]));
    const stopped = await host.stop();
    expect(stopped.code).toBe(0);
  });

  test('that stop accept no more calls, wait for their calls to move, and report the remaining ones', async () => {
    const [first, moving, staying] = [await startHost(), await call(), await call()];
    for (const each of [moving, staying]) expect(await claimed(each, 1)).toMatchObject({ kind: 'seated' });
    const carrier = await connectCarrier(await urlOf(moving, 1));
    carrier.start();
    const second = await startHost();
    first.child.kill('SIGTERM');
    await until(
      'it drains',
      async () => (await db.getRepository(mediaHosts).findOneByOrFail({ id: first.hostId })).isDraining,
    );
    expect(await claimed(moving, 2)).toMatchObject({ kind: 'seated', seat: { hostId: second.hostId } });
    expect(await carrier.closed).toBe(4409);
    expect((await first.ended).code).toBe(0);
    const notices: { callUuid: string; generation: number }[] = [];
    const watch = watchMediaHosts({
      db,
      log: pino({ level: 'silent' }),
      tell: (each) => Promise.resolve(void notices.push(each)),
    });
    await until('the notice to the remaining call', () => Promise.resolve(notices.length > 0));
    await watch.stop();
    expect(notices.filter(({ callUuid }) => callUuid !== moving.callUuid)).toEqual([
      { callUuid: staying.callUuid, generation: 1 },
    ]);
    await second.stop();
  });

  /** A worker's watch that has reached all hosts. It answers the notices to that call. */
  async function startWatch({ callUuid }: PhoneCall) {
    const notices: { callUuid: string; generation: number }[] = [];
    const watch = new HostWatch({
      db,
      log: pino({ level: 'silent' }),
      tell: (each) => Promise.resolve(void notices.push(each)),
    });
    await watch.look();
    return {
      async look() {
        await watch.look();
        return notices.filter((each) => each.callUuid === callUuid);
      },
    };
  }
  const isLate = async (id: string) =>
    (await db
      .getRepository(mediaHosts)
      .createQueryBuilder()
      .where('id = :id AND lease_expires_at < UTC_TIMESTAMP(6)', { id })
      .getCount()) === 1;

  // guarantee: expired-media-host-marked-lost
  test('that are killed, even the last one, are detected, and their calls are notified and moved', async () => {
    const [host, phoneCall] = [await startHost(), await call()];
    await claimed(phoneCall, 1);
    const watch = await startWatch(phoneCall);
    host.child.kill('SIGKILL');
    const notices = await until('the call is told', async () => {
      const told = await watch.look();
      return told.length > 0 ? told : undefined;
    }); // only against hanging; `npm run bench` measures the time
    expect(notices).toEqual([{ callUuid: phoneCall.callUuid, generation: 1 }]);
    const next = await startHost();
    expect(await claimed(phoneCall, 2)).toMatchObject({
      kind: 'seated',
      seat: { hostId: next.hostId, generation: 2 },
    });
    await next.stop();
  });

  test('without processor time for seconds keep their calls while no other host has room, and lose them for good once another one does', async () => {
    const [host, phoneCall] = [await startHost(), await call()];
    await claimed(phoneCall, 1);
    const carrier = await connectCarrier(await urlOf(phoneCall, 1));
    carrier.start();
    let chunk = 0;
    const speaking = setInterval(() => carrier.media((chunk += 1), new Int16Array(160)), 100); // a stream without audio ends after five seconds
    void carrier.closed.finally(() => clearInterval(speaking));
    const watch = await startWatch(phoneCall);
    host.child.kill('SIGSTOP');
    await until('the expiry of its lease', async () => await isLate(host.hostId));
    for (const untilMs = Date.now() + timeoutsMs.mediaHostSilence + 1000; Date.now() < untilMs;)
      expect(await watch.look()).toEqual([]);
    host.child.kill('SIGCONT');
    await until('the renewal of its lease', async () => !(await isLate(host.hostId)));
    expect(await claimed(phoneCall, 1)).toMatchObject({
      kind: 'seated',
      seat: { hostId: host.hostId, generation: 1 },
    });
    expect(carrier.ws.readyState).toBe(WebSocket.OPEN);

    const other = await startHost();
    host.child.kill('SIGSTOP');
    const notice = await until('the call is told', async () => (await watch.look())[0]);
    expect(notice).toEqual({ callUuid: phoneCall.callUuid, generation: 1 });
    host.child.kill('SIGCONT');
    expect([await carrier.closed, (await host.ended).code]).toEqual([4409, 1]);
    expect(await claimed(phoneCall, 2)).toMatchObject({
      kind: 'seated',
      seat: { hostId: other.hostId, generation: 2 },
    });
    await other.stop();
  });
});
