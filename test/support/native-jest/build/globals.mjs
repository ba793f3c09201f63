/**
 * `@jest/globals` of the current test file: support modules stay loaded while the files change. Jest hides
 * stack frames of a folder `jest/build`.
 */
const current = () => globalThis[Symbol.for('parlance.jest')];

const delegate = (name) =>
  new Proxy(() => undefined, {
    apply: (_, __, args) => current()[name](...args),
    get: (_, key) => current()[name][key],
  });

export const afterAll = delegate('afterAll');
export const afterEach = delegate('afterEach');
export const beforeAll = delegate('beforeAll');
export const beforeEach = delegate('beforeEach');
export const describe = delegate('describe');
export const expect = delegate('expect');
export const it = delegate('it');
export const jest = delegate('jest');
export const test = delegate('test');
