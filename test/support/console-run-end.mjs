/** jest's globalTeardown of the project "console". */
export { tearDownConsole as default } from './console-run.mjs';
