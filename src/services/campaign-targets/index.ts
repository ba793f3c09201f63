export { factsOfCall } from './call-facts.ts';
export { areAllInDoubt, callsInDoubt } from './in-doubt.ts';
export { lastCheck } from './last-check.ts';
export { readDials, type Dials } from './read-dials.ts';
export { lastSpentOutcomes } from './last-spent.ts';
export { settleTarget } from './settle-target.ts';
