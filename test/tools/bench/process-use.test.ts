import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { cpuMsIn, listenerOn, listeningInode, rssMbIn, useOf } from '../../../tools/bench/process-use.ts';

const servers: { close(): unknown }[] = [];
afterEach(() => servers.splice(0).forEach((each) => each.close()));

test('the processor time of a process is that of its own threads, user and system, whatever its name', () => {
  expect(cpuMsIn('4711 (a (strange) name) S 1 4711 4711 0 -1 4194560 9000 800 3 2 250 50 7 8 20 0 11 0 123456 0 0')).toBe(3000);
});

test('the memory of a process is what is resident', () => {
  expect(rssMbIn('Name:\tnode\nVmPeak:\t  999999 kB\nVmRSS:\t  204800 kB\nThreads:\t11\n')).toBe(200);
});

describe('who listens on a port', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 11 1',
    '   1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 22 1',
  ].join('\n');

  test('is found by the listening socket, not by a connection to it', () => {
    expect(listeningInode(table, 8080)).toBe('22');
  });

  test('is nobody when no socket listens there', () => {
    expect(listeningInode(table, 8081)).toBeNull();
  });

  test('is found on this machine', async () => {
    const server = createServer();
    servers.push(server);
    const port = await new Promise<number>((resolve) => server.listen(0, '127.0.0.1', () => resolve(Number(Reflect.get(Object(server.address()), 'port')))));
    // Only Linux tells.
    expect([process.pid, null]).toContain(listenerOn(port));
  });
});

test('of a process that is not there nothing is made up', () => {
  expect(useOf(null)).toEqual({ cpuMs: Number.NaN, rssMb: Number.NaN });
});
