import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { anyFreePort, choosePort, isPortFree } from '../../../tools/bootstrap/ports.mjs';

const busy =
  (...ports: number[]) =>
  (port: number) =>
    Promise.resolve(!ports.includes(port));
const api = { what: 'the API', preferred: 8000, variable: 'PARLANCE_HTTP_PORT', fixed: undefined };

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server = undefined;
});

describe('the port of a server', () => {
  test('is the preferred one when that is free, without a note', async () => {
    expect(await choosePort({ ...api, isFree: busy() })).toEqual({ port: 8000, note: null });
  });

  test('is the next free one when the preferred one is busy, with a note', async () => {
    expect(await choosePort({ ...api, isFree: busy(8000, 8001) })).toEqual({
      port: 8002,
      note: 'Port 8000 is busy: the API is on 8002',
    });
  });

  test('is not one that is reserved for another server of the same start', async () => {
    const taken = new Set([8000]);
    expect(await choosePort({ ...api, taken, isFree: busy() })).toMatchObject({ port: 8001 });
    expect(taken).toEqual(new Set([8000, 8001]));
  });

  test('is the one that the user set', async () => {
    expect(await choosePort({ ...api, fixed: '9000', isFree: busy() })).toEqual({ port: 9000, note: null });
  });

  test('is never replaced when the user set it: a busy one is an error that names the variable', async () => {
    await expect(choosePort({ ...api, fixed: '9000', isFree: busy(9000) })).rejects.toThrow(
      'Port 9000 (PARLANCE_HTTP_PORT, the API) is busy',
    );
  });

  test.each(['zero', '0', '70000', '80.5'])('%s is refused as a port', async (fixed) => {
    await expect(choosePort({ ...api, fixed, isFree: busy() })).rejects.toThrow(
      `PARLANCE_HTTP_PORT=${fixed} is not a valid port`,
    );
  });

  test('is known to be busy while a server listens on it', async () => {
    const port = await anyFreePort();
    expect(await isPortFree(port)).toBe(true);
    const listening = createServer();
    server = listening;
    await new Promise<void>((resolve) => listening.listen(port, '127.0.0.1', resolve));
    expect(await isPortFree(port)).toBe(false);
  });
});
