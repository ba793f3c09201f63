export { gaugeLoad, gaugePool } from './gauge.ts';
export { readLoad } from './read.ts';
