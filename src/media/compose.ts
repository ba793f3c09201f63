import type { DataSource } from 'typeorm';
import { activityFailureCodes } from '../activities/measured.ts';
import type { Config } from '../config/env.ts';
import { UnavailableError } from '../domain/errors.ts';
import { createTickets } from '../providers/secrets/tickets.ts';
import type { SecretBox } from '../providers/secrets/port.ts';
import type { Files } from '../providers/storage/port.ts';
import { systemClock } from '../runtime/clock.ts';
import { gaugeDependencies } from '../runtime/dependency-gauges.ts';
import type { HealthCheck } from '../runtime/health-server.ts';
import type { Logger } from '../runtime/logger.ts';
import type { Metrics } from '../runtime/metrics.ts';
import { createPrometheus, type Prometheus } from '../runtime/prometheus.ts';
import { gaugePool } from '../services/operations/index.ts';
import { noteMedia, openStream, readBackground, readWebCallToken } from '../services/media/index.ts';
import { takeWebSeat, beginPiece, endPiece } from '../services/calls/index.ts';
import type { CallStarter } from '../temporal/port.ts';
import type { FrameClock } from './playout/frame-clock.ts';
import { createBackgrounds } from './playout/backgrounds.ts';
import type { StreamDeps } from './server/deps.ts';
import type { Sessions } from './sessions.ts';

export interface StreamParts {
  config: Config;
  hostId: string;
  sessions: Sessions;
  clock: FrameClock;
  db: DataSource;
  secrets: SecretBox;
  /** Without files, nothing is recorded, and agents have only the built-in background. */
  files: Files | undefined;
  log: Logger;
  metrics: Metrics;
  isOpen: () => boolean;
  calls: Pick<CallStarter, 'mediaBegan'>;
  startWebCall: StreamDeps['startWebCall'];
}

/** Composes what the sockets of a media host need. */
export function composeStreams({
  config,
  hostId,
  sessions,
  clock,
  db,
  secrets,
  files,
  log,
  metrics,
  isOpen,
  calls,
  startWebCall,
}: StreamParts): StreamDeps {
  const deps = { db, secrets, clock: systemClock };
  const tickets = createTickets(secrets);
  const backgrounds = createBackgrounds({
    readFile: async (key, maxBytes) => await readBeginning(files, key, maxBytes),
  });
  return {
    sessions,
    clock,
    log,
    metrics,
    latencyMs: config.media.latencyMs,
    webOrigins: [new URL(config.http.publicUrl).origin, ...config.http.corsOrigins],
    openStream: (input) => openStream({ deps, input, hostId }),
    async openWebCall({ agentId, callId, token }) {
      const call = readWebCallToken({ tickets, clock: systemClock, token });
      if (call?.callId !== callId || call.agentId !== agentId)
        return { kind: 'refused', reason: 'wrong_token' };
      if (!isOpen()) return { kind: 'refused', reason: 'full' };
      const opened = await takeWebSeat({ deps: { ...deps, limits: config.callLimits }, call, hostId });
      return opened.kind === 'opened' ? { ...opened, call } : opened;
    },
    startWebCall,
    noteMedia: (input) => noteMedia({ deps: { ...deps, calls }, input }),
    async background(call) {
      const choice = await readBackground({ db, ...call });
      return choice === null ? null : await backgrounds.of(choice);
    },
    openRecording:
      files === undefined ? null : async (call, form) => await openRecording({ db, files, call, form }),
  };
}

async function openRecording({
  db,
  files,
  call,
  form,
}: {
  db: DataSource;
  files: Files;
  call: Parameters<typeof beginPiece>[0]['call'];
  form: { sampleRate: number; beganAt: Date };
}) {
  const key = await beginPiece({ db, call, form });
  const file = await files.grow(key);
  return {
    write: file.write,
    async close() {
      try {
        await file.close();
      } finally {
        // If this fails, the recording waits for the piece as for one of a lost host.
        const isKept = await endPiece({ db, clock: systemClock, call }).catch(() => true);
        // The recording was erased while it grew: remove what was written since.
        if (!isKept) await files.removeAll(key);
      }
    },
  };
}

async function readBeginning(
  files: Files | undefined,
  key: string,
  maxBytes: number,
): Promise<Uint8Array | null> {
  const facts = await files?.facts(key);
  if (files === undefined || facts === null || facts === undefined)
    throw new UnavailableError('The file of the background sound is missing', { dependency: 'storage' });
  const parts: Uint8Array[] = [];
  for await (const part of files.read(key, { first: 0, last: Math.min(facts.bytes, maxBytes) - 1 }))
    parts.push(part);
  return Buffer.concat(parts);
}

export interface MediaMetricsOptions {
  version: string;
  checks: Record<string, HealthCheck>;
  /** The connection pool, once it exists. */
  db: () => Parameters<typeof gaugePool>[1] | undefined;
  /** Metrics of the Temporal SDK, in the same text format. */
  temporalMetrics: () => Promise<string>;
}

/** The metrics of a media process, followed by Temporal's own. */
export function createMediaMetrics({
  version,
  checks,
  db,
  temporalMetrics,
}: MediaMetricsOptions): Prometheus {
  const prometheus = createPrometheus({
    role: 'media',
    labelValues: { version: [version], code: activityFailureCodes },
    withProcess: true,
  });
  const { metrics } = prometheus;
  metrics.gauge('parlance_build_info', { version }, 1);
  prometheus.onScrape(() => gaugeDependencies({ checks, metrics }));
  prometheus.onScrape(() => {
    const pool = db();
    if (pool !== undefined) gaugePool(metrics, pool);
  });
  return {
    ...prometheus,
    async scrape() {
      const [own, temporal] = await Promise.all([prometheus.scrape(), temporalMetrics().catch(() => '')]);
      return { ...own, text: `${own.text}\n${withoutHostId(temporal)}` };
    },
  };
}

/** Every start of a host has a new queue name, which would make endless series as a label. */
const withoutHostId = (text: string): string =>
  text.replaceAll(/task_queue="parlance-media-[^"]*"/g, 'task_queue="parlance-media"');
