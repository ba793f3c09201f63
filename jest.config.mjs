/** One jest with several projects; CONTRIBUTING.md lists what each may use. */
const base = {
  // Node itself loads the files, each module once per worker process (test/support/native-jest).
  runtime: '<rootDir>/test/support/native-jest/runtime.cjs',
  testEnvironment: '<rootDir>/test/support/native-jest/environment.cjs',
  transform: {},
  moduleFileExtensions: ['ts', 'mjs', 'js', 'json'],
};

/** Databases are reused by the next suites of a worker and dropped at the end of the run. */
const withServers = {
  ...base,
  globalSetup: '<rootDir>/test/support/test-run.mjs',
  globalTeardown: '<rootDir>/test/support/test-run-end.mjs',
};

const unitFolders = 'architecture|config|contract|domain|runtime|tools';
// These tests wait on sockets or take more than 0.3 seconds, so `npm run verify` does not run them.
const slowFolders = 'emulators|media|providers';
const slowFiles = [
  'contract/(access|console-page|cross-origin|declared-is-served|examples|golden-422|openapi-lint|packets)',
  'contract/(raw-requests|transport|transport-table)',
  'domain/audio/(mix|resample)',
  'domain/campaign/(sharing|whole-campaign|windows)',
  'domain/console/editor-graph',
  'domain/directory/(phone-rows|read-phone)',
  'domain/extraction/answer',
  'domain/graph/save',
  'domain/phone/(read-phone|zones)',
  'domain/speech/heard-text',
  'domain/template/render',
  'domain/turn-taking/any-conversation',
  'runtime/(health-check-main|identity|open-telemetry|start-tracing)',
  'tools/guarantees',
  'tools/bootstrap/servers',
].join('|');
// These tests talk in real time, or stop processes at a moment that a loaded machine would miss, so they run one at a time.
const aloneEndToEnd = [
  'campaign|demonstration|drain|late-answer|media-host|new-code|outage|phone-call',
  'slow-host|tool-at-most-once|web-call',
].join('|');
const integrationFolders = 'activities|api|cli|db|services|temporal|workflows|worker';
// Conversations of a media host write their journal to MySQL; the rest of the host needs no server.
const conversationFolder = 'media/speaking';

export default {
  maxWorkers: 2,
  testSequencer: '<rootDir>/test/support/long-files-first.cjs',
  workerIdleMemoryLimit: '1500MB',
  // Of `test.concurrent`: stories that mostly wait for speech.
  maxConcurrency: 3,
  // Only ends what hangs. A slow machine takes five times as long as a fast one, so no test has a limit of its own.
  testTimeout: 1_200_000,
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
      testMatch: [`<rootDir>/test/(${integrationFolders})/**/*.test.ts`],
    },
    // They talk in real time, so `npm test` gives them the processor first.
    {
      ...withServers,
      displayName: 'conversations',
      testMatch: [`<rootDir>/test/${conversationFolder}/**/*.test.ts`],
    },
    {
      ...withServers,
      displayName: 'e2e',
      testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
      testPathIgnorePatterns: [`/test/e2e/(${aloneEndToEnd})\\.test\\.ts$`],
    },
    // All files use one service, which the setup starts; each has people and organizations of its own.
    {
      ...base,
      displayName: 'console',
      globalSetup: '<rootDir>/test/support/console-run.mjs',
      globalTeardown: '<rootDir>/test/support/console-run-end.mjs',
      testMatch: ['<rootDir>/test/console/**/*.test.ts'],
    },
    {
      ...withServers,
      displayName: 'e2e-alone',
      testMatch: [`<rootDir>/test/e2e/(${aloneEndToEnd}).test.ts`],
    },
    // Requests to all operations take minutes, so only `npm run test:all` sends them.
    { ...withServers, displayName: 'generated', testMatch: ['<rootDir>/test/generated/**/*.test.ts'] },
    // Run manually and alone, because it needs the whole machine (CONTRIBUTING.md).
    { ...withServers, displayName: 'chaos', testMatch: ['<rootDir>/test/chaos/**/*.test.ts'] },
  ],
};
