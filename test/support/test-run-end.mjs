/** jest's globalTeardown. */
export { tearDown as default } from './test-run.mjs';
