const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** The process itself: tests do not run in a vm context (runtime.cjs). */
module.exports = class NativeEnvironment {
  constructor({ projectConfig }) {
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }
  async setup() {}
  async teardown() {
    this.fakeTimersModern.dispose();
  }
  exportConditions() {
    return ['node', 'node-addons'];
  }
  getVmContext() {
    return null;
  }
};
