/** jest's globalTeardown. */
export { dropDatabases as default } from './test-run.mjs';
