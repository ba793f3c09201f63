import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { dirname } from 'node:path';
import { folder, statePath } from './project.mjs';
import { socketPath } from './socket-path.mjs';

/**
 * Allows one `npm start` per project. The lock is a Unix socket, so it exists exactly as long as its process;
 * every connection gets the state of the running service as one JSON object.
 */
const lockSocket = () => socketPath(statePath('run'), 'start.sock');

/** The state of the running service, or null without one. */
export function askRunning({ path } = lockSocket()) {
  return new Promise((resolve) => {
    const socket = connect(path);
    const chunks = [];
    socket.setEncoding('utf8').setTimeout(3000, () => socket.destroy());
    socket.once('error', () => resolve(null)); // the lock is free
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.once('close', () => resolve(parseState(chunks.join(''))));
  });
}

function parseState(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the holder died while it answered
  }
}

/**
 * Takes the lock: answers `{ state, release() }` with the `state` that others get, or `{ held: state }` when
 * another process holds it.
 */
export async function takeLock({ path, moved } = lockSocket()) {
  folder(dirname(path));
  const held = await askRunning({ path });
  if (held !== null) return { held };
  rmSync(path, { force: true }); // left by a killed process: nothing answered on it
  const state = { phase: 'starting', pid: process.pid };
  const server = createServer((socket) => socket.on('error', () => undefined).end(JSON.stringify(state)));
  try {
    await listen(server, path);
  } catch (error) {
    if (error.code === 'EADDRINUSE') return { held: (await askRunning({ path })) ?? { phase: 'starting' } };
    throw error;
  }
  server.unref();
  return { state, release: () => release(server, moved ? dirname(path) : null) };
}

function release(server, shortFolder) {
  return new Promise((resolve) =>
    server.close(() => {
      if (shortFolder !== null) rmSync(shortFolder, { recursive: true, force: true });
      resolve();
    }),
  );
}

function listen(server, path) {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, resolve);
  });
}
