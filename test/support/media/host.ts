import { pino } from 'pino';
import { noMetrics } from '../../../src/runtime/metrics.ts';
import type { VoiceLeg } from '../../../src/media/leg.ts';
import { createFrameClock } from '../../../src/media/playout/frame-clock.ts';
import type { StreamDeps } from '../../../src/media/server/deps.ts';
import { startMediaServer, type MediaServer } from '../../../src/media/server/media-server.ts';
import { createSessions, type Session, type Sessions } from '../../../src/media/sessions.ts';
import type { SessionLimits } from '../../../src/media/legs/session-state.ts';

/** The media server of a host without a database. Each seated call may open its stream once. */
export interface TestHost {
  sessions: Sessions;
  server: MediaServer;
  ended: { callId: number; reason: string }[];
  /** The URL for the stream of a call. */
  url: (callId: number, token?: string) => string;
  /** Takes a seat, so the next stream of the call is accepted. */
  seat: (callId: number, generation?: number) => Session;
  live: (callId: number, generation?: number) => Promise<VoiceLeg>;
  close: () => Promise<void>;
}

export const quietLimits: SessionLimits = { seatedMs: 60_000, connectedMs: 60_000, silentMs: 60_000 };

export async function startTestHost({
  limits = quietLimits,
  now,
  deps = {},
}: { limits?: SessionLimits; now?: () => number; deps?: Partial<StreamDeps> } = {}): Promise<TestHost> {
  const ended: TestHost['ended'] = [];
  const sessions = createSessions({
    limits,
    now,
    onOver: ({ callId }, reason) => ended.push({ callId, reason }),
  });
  const open = new Map<number, number>();
  const server = await startMediaServer({
    host: '127.0.0.1',
    port: 0,
    deps: {
      sessions,
      clock: createFrameClock({ now }),
      log: pino({ level: 'silent' }),
      metrics: noMetrics,
      latencyMs: 0,
      webOrigins: ['https://console.example'],
      openStream({ callId, token }) {
        const generation = open.get(callId);
        if (generation === undefined) return Promise.resolve({ kind: 'refused', reason: 'unknown' });
        if (token !== 'aa') return Promise.resolve({ kind: 'refused', reason: 'wrong_token' });
        open.delete(callId);
        return Promise.resolve({ kind: 'opened', generation });
      },
      openWebCall: ({ agentId, callId, token }) =>
        Promise.resolve(
          token === 'bb'
            ? { kind: 'opened', call: { agentId, callId, organizationId: 3 }, generation: 1 }
            : { kind: 'refused', reason: 'wrong_token' },
        ),
      startWebCall: () => Promise.resolve(),
      noteMedia: () => Promise.resolve(),
      background: () => Promise.resolve(null),
      openRecording: null,
      ...deps,
    },
  });
  return {
    sessions,
    server,
    ended,
    url: (callId, token = 'aa') => `ws://127.0.0.1:${server.port}/api/v1/telephony/ws/5/3/${callId}/${token}`,
    seat(callId, generation = 1) {
      const session = sessions.seat({ callId, organizationId: 3, generation });
      if (session === null) throw new Error('The call got no seat');
      open.set(callId, generation);
      return session;
    },
    live: (callId, generation = 1) => sessions.whenLive(callId, generation, AbortSignal.timeout(20_000)),
    close: () => server.close(),
  };
}
