import { startTestHost, type TestHost } from '../media/host.ts';

/** A process with the port of a media host, which takes every call, for tests that try to end it. */
const host: TestHost = await startTestHost({
  deps: {
    openStream({ callId }) {
      host.sessions.seat({ callId, organizationId: 3, generation: 1 });
      return Promise.resolve({ kind: 'opened', generation: 1 });
    },
  },
});
process.stdout.write(`${JSON.stringify({ port: host.server.port })}\n`);
