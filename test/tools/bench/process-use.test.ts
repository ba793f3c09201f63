import { createServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
  cpuMsIn,
  listenerOn,
  listeningInode,
  residentIn,
  rssMbIn,
  useOf,
} from '../../../tools/bench/process-use.ts';

const servers: { close(): unknown }[] = [];
afterEach(() => servers.splice(0).forEach((each) => each.close()));

test('the processor time of a process is that of its own threads, user and system, for any process name', () => {
  expect(
    cpuMsIn(
      '4711 (a (strange) name) S 1 4711 4711 0 -1 4194560 9000 800 3 2 250 50 7 8 20 0 11 0 123456 0 0',
    ),
  ).toBe(3000);
});

test('the memory of a process is its resident memory', () => {
  expect(rssMbIn('Name:\tnode\nVmPeak:\t  999999 kB\nVmRSS:\t  204800 kB\nThreads:\t11\n')).toBe(200);
});

test('resident memory of files and of the C library is counted apart from the rest', () => {
  const mapping = (range: string, access: string, kb: number, name = '') =>
    `${range} ${access} 00000000 00:00 0 ${name === '' ? '' : `     ${name}`}\nSize:   99999 kB\nRss:   ${kb} kB\nVmFlags: rd wr\n`;
  const smaps = [
    mapping('00400000-05000000', 'r-xp', 2048, '/opt/node with spaces/bin/node'),
    mapping('06000000-07000000', 'rw-p', 4096, '[heap]'),
    // An arena and its protected rest; one that is full; a mapping that only begins like one; a page of V8.
    mapping('7f0000000000-7f0000400000', 'rw-p', 1024),
    mapping('7f0000400000-7f0004000000', '---p', 0),
    mapping('7f0008000000-7f000c000000', 'rw-p', 8192),
    mapping('7f0010000000-7f0010400000', 'rw-p', 512),
    mapping('7f0020040000-7f0020080000', 'rw-p', 256),
    mapping('7ffc00000000-7ffc00021000', 'rw-p', 64, '[stack]'),
  ].join('');
  expect(residentIn(smaps)).toEqual({ filesMb: 2, mallocMb: 4 + 1 + 8 });
});

describe('the process that listens on a port', () => {
  const table = [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000  1000        0 11 1',
    '   1: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 22 1',
  ].join('\n');

  test('is found by the listening socket, not by a connection to it', () => {
    expect(listeningInode(table, 8080)).toBe('22');
  });

  test('is null when no socket listens there', () => {
    expect(listeningInode(table, 8081)).toBeNull();
  });

  test('is found on this machine', async () => {
    const server = createServer();
    servers.push(server);
    const port = await new Promise<number>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve(Number(Reflect.get(Object(server.address()), 'port')))),
    );
    // Only Linux can find it.
    expect([process.pid, null]).toContain(listenerOn(port));
  });
});

test('a process that does not exist has no figures', () => {
  expect(useOf(null)).toEqual({ cpuMs: Number.NaN, rssMb: Number.NaN });
});
