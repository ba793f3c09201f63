import { describe, expect, test } from '@jest/globals';
import { startCarrierEmulator } from '../../emulators/carrier/server.ts';
import { startLlmEmulator } from '../../emulators/llm/server.ts';
import { startS3Emulator } from '../../emulators/s3/server.ts';
import { startSttEmulator } from '../../emulators/stt/server.ts';
import { startTtsEmulator } from '../../emulators/tts/server.ts';
import { startReceiver } from '../../tools/demo/receiver.ts';
import { sendRaw, upgradeTo } from '../support/raw-packet.ts';

const servers: Record<string, () => Promise<{ url: string; close: () => Promise<void> }>> = {
  carrier: startCarrierEmulator,
  'language model': startLlmEmulator,
  storage: startS3Emulator,
  'speech recognition': async () => {
    const emulator = await startSttEmulator();
    return { url: emulator.httpUrl, close: () => emulator.close() };
  },
  voice: async () => {
    const emulator = await startTtsEmulator();
    return { url: emulator.httpUrl, close: () => emulator.close() };
  },
  'receiver of the demonstration': () => startReceiver([], 0),
};

const close = 'Host: a\r\nConnection: close\r\n';
const packets = {
  'an upgrade to an unreadable address': upgradeTo('//').replace('Upgrade', 'Upgrade, close'),
  'an unreadable address': `GET // HTTP/1.1\r\n${close}\r\n`,
  'a path with broken escapes': `GET /calls/%E0%A4%A HTTP/1.1\r\n${close}\r\n`,
  'a body that is not JSON': `POST /emulator/faults HTTP/1.1\r\n${close}Content-Length: 1\r\n\r\n{`,
  'a method that nobody knows': `PROPFIND / HTTP/1.1\r\n${close}\r\n`,
};

describe.each(Object.entries(servers))('the simulated %s', (_name, start) => {
  test.each(Object.entries(packets))('stays up after %s', async (_what, packet) => {
    const server = await start();
    try {
      const port = Number(new URL(server.url).port);
      const { isClosed } = await sendRaw(port, packet);
      expect(isClosed).toBe(true);
      const { text } = await sendRaw(port, `GET /health HTTP/1.1\r\n${close}\r\n`);
      expect(text).toMatch(/^HTTP\/1\.1 \d{3} /);
    } finally {
      await server.close();
    }
  });
});
