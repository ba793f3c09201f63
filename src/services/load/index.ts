export { shownWaits } from './campaigns.ts';
export { gaugeLoad, gaugePool } from './gauge.ts';
export { countActiveCalls, readLoad } from './read.ts';
