import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { portOf } from './receiver.ts';

/** Stands between a browser and the API, and loses uploads of contact files as it is told. */
export interface LosingProxy {
  url: string;
  /** `request`: the connection ends while the file comes. `answer`: it ends when the file is stored. */
  lose: (what: 'request' | 'answer' | 'nothing') => void;
  close: () => void;
}

export async function startLosingProxy(apiUrl: string): Promise<LosingProxy> {
  let lost: Parameters<LosingProxy['lose']>[0] = 'nothing';
  const { hostname, port } = new URL(apiUrl);
  const server = createServer((asked, answered) => {
    const { method, url: path, headers } = asked;
    const now = method === 'POST' && path === '/api/v1/directories' ? lost : 'nothing';
    const end = () => void asked.socket.destroy();
    if (now === 'request') return void asked.once('data', end);
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      if (now === 'answer') return void answer.resume().once('end', end);
      answer.pipe(answered.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    onward.on('error', end);
    answered.once('close', () => onward.destroy());
    asked.pipe(onward);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    lose: (what) => {
      lost = what;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
