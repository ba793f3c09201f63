/**
 * Replaces jest's module loader with Node's own: test files and their imports are loaded once per worker
 * process, without a vm context and without a transformation. No test mocks modules, so none needs jest's own
 * loader; loading the service again for each of hundreds of files took longer than the tests.
 *
 * Global changes of a test file (process.env, working directory, console, listeners of the process) are
 * undone after it.
 */
const { createRequire, registerHooks } = require('node:module');
const { pathToFileURL } = require('node:url');
const { promiseHooks } = require('node:v8');
const { default: Runtime } = require('jest-runtime');
const { enterWithoutTimeLimit } = require('../../../src/worker/sandbox-thread.mjs');

const globalsUrl = pathToFileURL(require.resolve('./build/globals.mjs')).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === '@jest/globals' ? { url: globalsUrl, shortCircuit: true } : next(specifier, context),
});

// Tests run Temporal's sandbox in their own process. Its promise hooks only serve stack traces in Temporal UI, and they
// would run code for each promise of this and all later files.
promiseHooks.createHook = () => () => {};
enterWithoutTimeLimit(new Int32Array(1));

class NativeRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    this.before = globalState();
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  unstable_importModule(path) {
    return import(pathToFileURL(path).href);
  }

  /** The test framework is loaded for each file, because it holds the state of one. */
  requireInternalModule(from, to) {
    if (to !== undefined) return createRequire(from)(to);
    if (/jestAdapterInit/.test(from)) delete require.cache[from];
    return require(from);
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    globalThis[Symbol.for('parlance.jest')] = {
      ...globals,
      jest: this.jestGlobals.jestObjectFor(this._testPath),
    };
  }

  installGetBuiltinModule() {}

  teardown() {
    this.before();
    super.teardown();
  }
}

/** Answers a function that restores everything. */
function globalState() {
  const env = { ...process.env };
  const directory = process.cwd();
  // oxlint-disable-next-line typescript/unbound-method -- it is put back as it was
  const kept = { exit: process.exit, exitCode: process.exitCode };
  const { console, fetch } = globalThis;
  const events = [
    'uncaughtException',
    'unhandledRejection',
    'SIGINT',
    'SIGTERM',
    'SIGHUP',
    'exit',
    'beforeExit',
  ];
  const listeners = events.map((name) => [name, process.rawListeners(name)]);
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    for (const [name, value] of Object.entries(env))
      if (process.env[name] !== value) process.env[name] = value;
    if (process.cwd() !== directory) process.chdir(directory);
    for (const [name, before] of listeners)
      for (const each of process.rawListeners(name))
        if (!before.includes(each)) process.removeListener(name, each);
    Object.assign(process, kept);
    Object.assign(globalThis, { console, fetch });
  };
}

module.exports = Object.assign(NativeRuntime, { __esModule: true, default: NativeRuntime });
