import { shareConsoleService, startConsoleService } from './console-service.ts';
import setUpRun, { tearDown } from './test-run.mjs';

let service;

/** jest's globalSetup of the project "console": one service for all its files. */
export default async function setUp() {
  setUpRun();
  service = await startConsoleService();
  shareConsoleService(service);
}

export async function tearDownConsole() {
  // A browser only sees that a request failed; the reason is here.
  for (const line of service?.logs().split('\n') ?? [])
    if (/^\{"level":"(error|fatal)"/.test(line)) process.stderr.write(`${line}\n`);
  await service?.stop();
  await tearDown();
}
