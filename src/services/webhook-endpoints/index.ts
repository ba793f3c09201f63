export { listSwitchedOff } from './list.ts';
export { turnOnEndpoint } from './turn-on.ts';
