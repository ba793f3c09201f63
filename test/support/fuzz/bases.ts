import { upgradeTo } from '../raw-packet.ts';
import { frame } from './packets.ts';

const json = (message: object) => frame(1, JSON.stringify(message));
const media = (chunk: string) =>
  json({
    event: 'media',
    sequence_number: chunk,
    media: {
      track: 'inbound',
      chunk,
      timestamp: String(20 * Number(chunk)),
      payload: Buffer.alloc(160, 0xff).toString('base64'),
    },
  });
const start = (encoding: string, rate: number) =>
  json({
    event: 'start',
    stream_id: 's',
    start: { call_control_id: 'c', media_format: { encoding, sample_rate: rate, channels: 1 } },
  });
const after = (target: string, ...frames: Buffer[]) =>
  Buffer.concat([Buffer.from(upgradeTo(target)), ...frames]);

/** What carriers and browsers send to a media host. `token` opens the stream of a call. */
export const mediaBases = (token: string): Buffer[] => [
  after(
    `/api/v1/telephony/ws/5/3/9/${token}`,
    json({ event: 'connected', version: '1.0.0' }),
    start('PCMU', 8000),
    media('1'),
    media('2'),
    json({ event: 'mark', mark: { name: 'a' } }),
    json({ event: 'dtmf', dtmf: { digit: '1' } }),
    json({ event: 'error', payload: { code: 100 } }),
    json({ event: 'stop' }),
  ),
  after(
    `/api/v1/telephony/ws/5/3/10/${token}`,
    start('L16', 16_000),
    media('1'),
    frame(8, Buffer.from([3, 232])),
  ),
  after(
    '/api/v1/ws/call/5/11?token=bb',
    frame(2, Buffer.alloc(640)),
    json({ type: 'mark', name: 'a' }),
    json({ type: 'dtmf', digit: '5' }),
    json({ type: 'text', text: 'I will come.' }),
    frame(9, 'ping'),
    json({ type: 'stop' }),
  ),
  after('/api/v1/ws/signaling/5/11', json({ type: 'offer' })),
  Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'),
  Buffer.from(upgradeTo('//')),
];

const request = (line: string, body = '', ...headers: string[]) =>
  Buffer.from(
    [
      `${line} HTTP/1.1`,
      'Host: a',
      'X-API-Key: good',
      ...headers,
      ...(body === ''
        ? []
        : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`]),
      '',
      body,
    ].join('\r\n'),
  );
const event = JSON.stringify({
  data: {
    id: 'e',
    event_type: 'call.answered',
    occurred_at: '2026-03-09T10:00:00Z',
    payload: { call_control_id: 'c', client_state: 'YQ==', from: '+4930123456' },
  },
});
const form =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nphone\n+4930123456\n\r\n--b--\r\n';

/** What clients and carriers send to the API. */
export const apiBases: Buffer[] = [
  request(
    'POST /api/v1/workflow/create/definition',
    '{"name":"a","workflow_definition":{"nodes":[],"edges":[]}}',
  ),
  request('GET /api/v1/workflow/fetch?limit=10&offset=0'),
  request('GET /api/v1/health'),
  request('GET /readyz'),
  request('GET //'),
  request('OPTIONS *', '', 'Origin: https://a.test', 'Access-Control-Request-Method: POST'),
  request(
    'POST /api/v1/telephony/telnyx/events/1',
    event,
    'telnyx-timestamp: 1',
    'telnyx-signature-ed25519: AA==',
  ),
  request('POST /api/v1/telephony/inbound/run', event),
  request('POST /api/v1/telephony/telnyx/transfer-result/a.m1', event),
  request('GET /api/v1/public/download/workflow/a.b.c/recording'),
  request('POST /api/v1/directories', form, 'Content-Type: multipart/form-data; boundary=b'),
  Buffer.concat([request('GET /api/v1/health'), request('GET /api/v1/health')]),
  Buffer.from(
    'POST /api/v1/workflow/create/definition HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n2\r\n1}\r\n0\r\n\r\n',
  ),
  Buffer.from(upgradeTo('/api/v1/health')),
  Buffer.from(upgradeTo('//')),
];
