import { connect } from 'node:net';
import type { Random } from '../seed.ts';

/** Whole packets, from which mutated ones are made. */
export type Bases = readonly Buffer[];

const below = (random: Random, max: number): number => Math.floor(random() * max);
const oneOf = <T>(random: Random, items: readonly T[]): T => {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error('there is nothing to choose from');
  return item;
};

/** What parsers of requests, addresses and frames trip over. */
const tokens = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  '\0',
  '//',
  '/../',
  '%',
  '%00',
  '%E0%A4%A',
  'http://[',
  '[::1',
  ' ',
  ':',
  '?token=',
  '999999999999999999999',
  '-1',
  'Upgrade: websocket\r\n',
  'Connection: Upgrade\r\n',
  'Content-Length: 99999999999\r\n',
  'Content-Length: 0\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Expect: 100-continue\r\n',
  'Sec-WebSocket-Extensions: permessage-deflate; server_max_window_bits=8\r\n',
  'Sec-WebSocket-Version: 99\r\n',
  `X-Long: ${'x'.repeat(20_000)}\r\n`,
  'CONNECT a:1 HTTP/1.1\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\0\u0001\0',
  '{"event":',
  'null',
  '[[[[[[[[[[',
  '\uD83D\uDE00',
].map((text) => Buffer.from(text, 'latin1'));

/** One random change of a packet. */
function mutate(random: Random, packet: Buffer, bases: Bases): Buffer {
  const at = below(random, packet.length + 1);
  const to = Math.min(packet.length, at + below(random, 40));
  const [before, inside, after] = [packet.subarray(0, at), packet.subarray(at, to), packet.subarray(to)];
  switch (below(random, 8)) {
    case 0: {
      const changed = Buffer.from(packet);
      if (at < changed.length) changed[at] = below(random, 256);
      return changed;
    }
    case 1:
      return Buffer.concat([before, after]);
    case 2:
      return Buffer.concat([before, inside, inside, inside, after]);
    case 3:
      return before;
    case 4:
      return Buffer.concat([before, bytesOf(random, below(random, 64)), after]);
    case 5:
      return Buffer.concat([before, oneOf(random, bases).subarray(below(random, 60))]);
    default:
      return Buffer.concat([before, oneOf(random, tokens), packet.subarray(at)]);
  }
}

function bytesOf(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => below(random, 256)));
}

/** A packet of random bytes, or a base with up to five changes. */
export function nextPacket(random: Random, bases: Bases): Buffer {
  if (random() < 0.05) return bytesOf(random, 1 + below(random, 2000));
  let packet = oneOf(random, bases);
  for (let changes = below(random, 6); changes > 0; changes -= 1) packet = mutate(random, packet, bases);
  return packet;
}

const parallel = 40;

/**
 * Sends that many mutated packets to a port, in two pieces each. Answers how many were sent whole: a server may
 * refuse one after its first piece. A server that has not closed the connection `patienceMs` after the last
 * piece waits for more, as it should.
 */
export async function sendPackets({
  port,
  count,
  random,
  bases,
  patienceMs,
}: {
  port: number;
  count: number;
  random: Random;
  bases: Bases;
  patienceMs: number;
}): Promise<{ sent: number }> {
  let [left, sent] = [count, 0];
  const sender = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const packet = nextPacket(random, bases);
      const cut = below(random, packet.length + 1);
      if (await exchange(port, packet, { cut, patienceMs })) sent += 1;
    }
  };
  await Promise.all(Array.from({ length: parallel }, sender));
  return { sent };
}

async function exchange(
  port: number,
  packet: Buffer,
  { cut, patienceMs }: { cut: number; patienceMs: number },
): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const { promise, resolve } = Promise.withResolvers<void>();
  let isSent = false;
  let timer: NodeJS.Timeout | undefined;
  socket.on('error', () => resolve());
  socket.on('close', () => resolve());
  socket.resume();
  socket.setNoDelay(true);
  const onSent = (error?: Error | null): void => {
    isSent = !error;
    timer = setTimeout(resolve, patienceMs);
  };
  socket.write(packet.subarray(0, cut), () => socket.write(packet.subarray(cut), onSent));
  await promise;
  clearTimeout(timer);
  socket.destroy();
  return isSent;
}

/** A masked WebSocket frame of a client. */
export function frame(opcode: number, content: Buffer | string): Buffer {
  const payload = Buffer.from(content);
  const head =
    payload.length < 126
      ? Buffer.from([0x80 | opcode, 0x80 | payload.length])
      : Buffer.from([0x80 | opcode, 0xfe, payload.length >> 8, payload.length & 0xff]);
  const mask = Buffer.from([1, 2, 3, 4]);
  const masked = payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return Buffer.concat([head, mask, masked]);
}
