import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { countingFailures, measuredCommit } from '../activities/measured.ts';
import { createSeatActivities, type SeatHost } from '../activities/seat.ts';
import { createSpeakingActivities } from '../activities/speaking.ts';
import { mediaUrlOf } from '../config/media-url.ts';
import { configOfThisProcess } from '../config/read-env.ts';
import { openVariable, readVariable, storageVariable } from '../config/variable.ts';
import { readVersion } from '../config/version.ts';
import type { ClaimSeatInput } from '../domain/call/voice.ts';
import { taskQueues } from '../domain/declaration.ts';
import { createGuardedClient } from '../providers/http/guarded-client.ts';
import { knownModels } from '../providers/llm/installed.ts';
import { createSecretBox } from '../providers/secrets/aes-gcm.ts';
import { parseKeyRing } from '../providers/secrets/key-ring.ts';
import { openFiles } from '../providers/storage/installed.ts';
import { systemClock } from '../runtime/clock.ts';
import { randomIds } from '../runtime/ids.ts';
import { loggedChecks } from '../runtime/dependency-checks.ts';
import { startHealthServer } from '../runtime/health-server.ts';
import { ownUrl } from '../runtime/identity.ts';
import { createLogger } from '../runtime/logger.ts';
import { watchLoopLag } from '../runtime/loop-lag.ts';
import { createShutdown } from '../runtime/shutdown.ts';
import { startTracing } from '../runtime/start-tracing.ts';
import { noTracing, type Tracing } from '../runtime/tracing.ts';
import { endLease, findOvertaken, registerHost, renewLease } from '../services/media/index.ts';
import { commitTurn, startWebCall } from '../services/calls/index.ts';
import { hangUpAll } from '../services/telephony/index.ts';
import { createCallDriver } from '../temporal/call-drivers.ts';
import { createCallStarter } from '../temporal/call-starter.ts';
import { createTemporalClient } from '../temporal/connection.ts';
import { encryptedPayloads } from '../temporal/payload-encryption.ts';
import { composeCarriers, connectMysqlWhenThere } from '../worker/compose.ts';
import { fetchTemporalMetrics } from '../worker/metrics.ts';
import { keepWorkers, type RunningWorkers } from '../worker/run-workers.ts';
import { freeLoopbackAddress, installTemporalRuntime } from '../worker/runtime.ts';
import { tracedActivities } from '../worker/tracing.ts';
import { composeStreams, createMediaMetrics } from './compose.ts';
import { createActivityWorker } from './host/activity-worker.ts';
import { createHold } from './host/hold.ts';
import { createMediaHost, type MediaHost } from './host/media-host.ts';
import { createFrameClock } from './playout/frame-clock.ts';
import type { GivenUpCall } from './speaking/absence.ts';
import { composeSpeaking } from './speaking/compose.ts';
import type { Conversations } from './speaking/conversations.ts';
import { startMediaServer } from './server/media-server.ts';
import { createSessions } from './sessions.ts';

/**
 * The media process. It starts its parts from top to bottom and stops them in reverse, after its calls have
 * moved away.
 */
const config = configOfThisProcess();
let tracing: Tracing = noTracing;
const log = createLogger({ level: config.logLevel, role: 'media', tracing: () => tracing });
/** Grace period for running activities after a stop; a call that has moved has none. */
const graceMs = 3000;
const shutdown = createShutdown({ log, limitMs: config.media.drainMs + graceMs + 15_000 });
const version = readVersion();
tracing = await startTracing({ config: config.tracing, role: 'media', version, log });
shutdown.onStop('traces', () => tracing.stop());

const mediaUrl = readVariable('PARLANCE_MEDIA_PUBLIC_URL', () => mediaUrlOf(config));
const secrets = readVariable('PARLANCE_ENCRYPTION_KEYS', () => createSecretBox(config.encryptionKeys));
const { payloadKeys } = config.temporal;
const dataConverter =
  payloadKeys === undefined
    ? undefined
    : readVariable('PARLANCE_PAYLOAD_KEYS', () => encryptedPayloads(parseKeyRing(payloadKeys)));
const http = readVariable('PARLANCE_ALLOWED_PRIVATE_HOSTS', () => createGuardedClient(config.customerUrls));
shutdown.onStop('customer connections', () => http.close());
const files = await openVariable(storageVariable(config), () =>
  openFiles({ settings: config.storage, clock: systemClock, log }),
);
if (files === undefined) log.warn({}, 'Calls are not recorded: no file storage is configured');

const metricsAddress = await freeLoopbackAddress();
installTemporalRuntime(log, { metricsAddress });
const temporal = createTemporalClient({ ...config.temporal, dataConverter });
shutdown.onStop('Temporal client', () => temporal.close());

let db: DataSource | undefined;
const workers: RunningWorkers[] = [];
const checks = loggedChecks(
  {
    mysql: async () => {
      if (db === undefined) throw new Error('not connected yet');
      await db.query('SELECT 1');
    },
    temporal: async () =>
      void (await temporal.request((client) =>
        client.workflowService.describeNamespace({ namespace: temporal.namespace }),
      )),
    workers: async () => {
      if (workers.length === 0) throw new Error('not started yet');
      for (const each of workers) each.check();
    },
  },
  log,
);
const { metrics, allow, scrape } = createMediaMetrics({
  version,
  checks,
  db: () => db,
  temporalMetrics: () => fetchTemporalMetrics(metricsAddress),
});
const hostId = randomUUID();
const health = await startHealthServer({
  port: config.media.healthPort,
  host: config.http.host,
  log,
  checks,
  scrape,
  id: hostId,
});
shutdown.onStop('health server', () => health.close());

try {
  const pool = await connectMysqlWhenThere({ url: config.databaseUrl, log, signal: shutdown.signalled });
  db = pool;
  shutdown.onStop('MySQL', () => pool.destroy());
  // A separate connection, so a pool that is busy with conversations cannot cost the lease.
  const leaseDb = await connectMysqlWhenThere({
    url: config.databaseUrl,
    log,
    signal: shutdown.signalled,
    poolSize: 1,
  });
  shutdown.onStop('MySQL of the lease', () => leaseDb.destroy());

  const hostQueue = `parlance-media-${hostId}`;
  const hold = createHold({
    onHeld: () => host.renewNow(),
    onFault: (error) => log.error({ err: error }, 'A pause of this host could not be handled'),
  });
  shutdown.onStop('watch for pauses', () => hold.close());
  const clock = createFrameClock({
    isHeld: () => hold.isHeld(),
    onTick: (lateMs) => metrics.observe('parlance_media_tick_late_seconds', {}, lateMs / 1000),
    onFault: (error) => log.error({ err: error }, 'A stream failed in a clock tick'),
  });
  const sessions = createSessions({
    limits: { seatedMs: 150_000, connectedMs: 150_000, silentMs: 5000 },
    onOver: (_session, gone) => metrics.count('parlance_media_sessions_ended_total', { gone }),
  });

  const loopLag = watchLoopLag();
  shutdown.onStop('event loop watch', () => loopLag.close());
  const host = createMediaHost({
    hostId,
    hostQueue,
    maxCalls: config.media.maxCalls,
    sessions,
    loopLag,
    hold,
    log,
    metrics,
    register: () =>
      registerHost({
        db: leaseDb,
        host: {
          id: hostId,
          hostQueue,
          publicUrl: mediaUrl,
          probeUrl: ownUrl(config.http.host, health.port),
          maxCalls: config.media.maxCalls,
        },
      }),
    renewLease: (news) => renewLease({ db: leaseDb, host: news }),
    endLease: () => endLease({ db: leaseDb, hostId }),
    findOvertaken: (held) => findOvertaken({ deps: { db: pool }, hostId, held }),
    onLost: () => void shutdown.stop('the lease was lost', 1),
  });
  shutdown.onStop('lease', () => host.leave());

  const calls = createCallStarter({ temporal });
  const server = await startMediaServer({
    host: config.http.host,
    port: config.media.port,
    deps: composeStreams({
      config,
      hostId,
      sessions,
      clock,
      db: pool,
      secrets,
      files,
      log,
      metrics,
      isOpen: () => host.isOpen(),
      calls,
      startWebCall: (call) =>
        startWebCall({ deps: { db: pool, clock: systemClock, calls }, call, host: { hostId, hostQueue } }),
    }),
  });
  shutdown.onStop('media server', () => server.close());

  const driver = createCallDriver({ temporal });
  const phone = { db: pool, clock: systemClock, secrets, accounts: composeCarriers(config, metrics), log };
  /** Hangs up without a worker; a browser has only its socket. */
  const giveUp = async (call: GivenUpCall) => {
    await driver
      .giveUp(call.callUuid, call)
      .catch((error: unknown) =>
        log.warn({ err: error, callId: call.callId }, 'The Workflow cannot be told that its call is over'),
      );
    await hangUpAll({ deps: phone, input: call });
    if (call.isWeb) sessions.find(call.callId, call.generation)?.report({ kind: 'released' });
  };
  const speaking = composeSpeaking({
    config,
    db: pool,
    secrets,
    http,
    files,
    legs: sessions,
    drivers: {
      waitingTask: (callUuid) => driver.waitingTask(callUuid),
      giveUp: (call) => giveUp(call),
    },
    log,
    metrics,
    tracing,
  });
  shutdown.onStop('conversations', () => speaking.close());
  await speaking.warm();

  const seats = countingFailures(
    createSeatActivities({
      db: pool,
      secrets,
      clock: systemClock,
      host: primedWhenSeated(host, speaking.conversations),
      metrics,
    }),
    metrics,
  );
  const turnDeps = { db: pool, clock: systemClock, ids: randomIds, model: config.llm.model };
  const turns = countingFailures(
    { commitTurn: measuredCommit((input) => commitTurn({ deps: turnDeps, input }), metrics) },
    metrics,
  );
  const spoken = countingFailures(
    createSpeakingActivities({ speaker: speaking.conversations, ...turns, log }),
    metrics,
  );
  allow(
    'activity',
    [seats, turns, spoken].flatMap((each) => Object.keys(each)),
  );
  allow('model', knownModels(config.llm));
  const common = {
    namespace: config.temporal.namespace,
    dataConverter,
    interceptors: { activity: tracedActivities(tracing) },
    graceMs,
  };
  const keep = (taskQueue: string, activities: object, maxAtOnce: number) =>
    keepWorkers({ temporal: config.temporal, log, signal: shutdown.signalled }, async (connection) => [
      await createActivityWorker({ ...common, connection, taskQueue, activities, maxAtOnce }),
    ]);
  const own = keep(hostQueue, { ...seats, ...spoken }, config.media.maxCalls * 2 + 20);
  await own.started;
  await host.begin();
  const shared = keep(taskQueues.seat, { claimSeat: (input: ClaimSeatInput) => seats.claimSeat(input) }, 20);
  workers.push(own, shared);
  shutdown.onStop('worker of this host', () => own.stop());
  shutdown.onStop('live calls', () => host.whenEmpty(config.media.drainMs));
  shutdown.onStop('worker of seats', async () => {
    await host.drain();
    speaking.conversations.move();
    await shared.stop();
  });
  log.info({ hostId, port: server.port }, 'The media host takes calls');
  await Promise.all([own.ended, shared.ended]);
} catch (error) {
  if (!shutdown.signalled.aborted) {
    log.fatal({ err: error }, 'The media host failed');
    await shutdown.stop('the media host failed', 1);
  }
}

/** Makes the first sound of a call while the phone rings. */
function primedWhenSeated(host: MediaHost, conversations: Conversations): SeatHost {
  const { hostId, hostQueue } = host;
  return {
    hostId,
    hostQueue,
    isOpen: (call) => host.isOpen(call),
    hasRoom: (call) => host.hasRoom(call),
    holds: (call) => host.holds(call),
    keep(call) {
      const isKept = host.keep(call);
      if (isKept) conversations.prime(call);
      return isKept;
    },
    release: (call) => host.release(call),
  };
}
