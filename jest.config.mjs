/** One jest, four projects: what each may use is written in CONTRIBUTING.md. */
const base = {
  // Node loads the files itself, and each module once per worker process (test/support/native-jest).
  runtime: '<rootDir>/test/support/native-jest/runtime.cjs',
  testEnvironment: '<rootDir>/test/support/native-jest/environment.cjs',
  transform: {},
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json'],
};

/** Databases are kept for the next suites of a worker and dropped at the end of the run. */
const withServers = {
  ...base,
  globalSetup: '<rootDir>/test/support/test-run.mjs',
  globalTeardown: '<rootDir>/test/support/test-run-end.mjs',
};

const unitFolders = 'architecture|config|contract|domain|runtime|tools';
// These wait on sockets or compute for seconds: not part of `npm run verify`.
const slowFolders = 'emulators|media|providers';
const slowFiles = [
  'contract/(openapi-lint|raw-requests|transport-table)',
  'domain/campaign/(sharing|whole-campaign)',
  'domain/turn-taking/any-conversation',
  'runtime/start-tracing',
].join('|');
// They kill processes, or time what they see: one at a time on two cores.
const aloneEndToEnd =
  'campaign|chaos|demo|drain|import|lone-host|media-host|new-code|outage|phone-call|tool-at-most-once|web-call';
const integrationFolders = 'activities|api|cli|db|services|temporal|workflows|worker';
// Conversations of a media host journal in MySQL; the rest of the host needs no server.
const conversationFolder = 'media/speaking';

export default {
  maxWorkers: 2,
  workerIdleMemoryLimit: '1500MB',
  // A limit against what hangs, not a measurement: migrations and first connections take seconds on a busy
  // machine.
  testTimeout: 30_000,
  projects: [
    {
      ...base,
      displayName: 'unit',
      testMatch: [`<rootDir>/test/(${unitFolders})/**/*.test.ts`],
      testPathIgnorePatterns: [`/test/(${slowFiles})\\.test\\.ts$`],
    },
    {
      ...base,
      displayName: 'slow',
      testMatch: [`<rootDir>/test/(${slowFolders})/**/*.test.ts`, `<rootDir>/test/(${slowFiles}).test.ts`],
      testPathIgnorePatterns: [`/test/${conversationFolder}/`],
    },
    {
      ...withServers,
      displayName: 'integration',
      testMatch: [`<rootDir>/test/(${integrationFolders}|${conversationFolder})/**/*.test.ts`],
    },
    {
      ...withServers,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
      testPathIgnorePatterns: [`/test/e2e/(${aloneEndToEnd})\\.test\\.ts$`],
    },
    {
      ...withServers,
      displayName: 'e2e-alone',
      testMatch: [`<rootDir>/test/e2e/(${aloneEndToEnd}).test.ts`],
    },
    // By hand, alone on the machine: it needs all of it (CONTRIBUTING.md).
    { ...withServers, displayName: 'chaos', testMatch: ['<rootDir>/test/chaos/**/*.test.ts'] },
  ],
};
