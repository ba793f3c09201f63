import { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { createGuardedConnector } from '../../../src/providers/http/guarded-connector.ts';
import { until } from '../../support/until.ts';

test('a fault in the handling of a late connection closes the connection', async () => {
  const socket = new Socket();
  const told: unknown[] = [];
  const connect = createGuardedConnector({
    rules: { allowHttp: false, allowedHosts: [] },
    resolve: () => Promise.resolve([{ address: '93.184.215.14', family: 4 }]),
    connectTo: () => () => socket,
    connectTimeoutMs: 20,
  });
  connect({ protocol: 'https:', hostname: 'hooks.example.com', port: '443' }, (...[error]) => {
    told.push(error);
    throw new Error('a fault in a timer');
  });
  await until('the end of the connection', () => Promise.resolve(socket.destroyed));
  expect(told).toEqual([expect.objectContaining({ reason: 'connect_timeout' })]);
});
