import { pino } from 'pino';
import { createHttpServer } from '../../../src/api/http-server.ts';
import { createEchoApp } from '../api-server.ts';

/** A process with the port of an API that answers its input, for tests that try to end it. */
const server = createHttpServer(createEchoApp(), {
  log: pino({ level: 'silent' }),
  freshRequestId: () => 'fresh-id',
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.stdout.write(`${JSON.stringify({ port: typeof address === 'object' ? address?.port : null })}\n`);
});
