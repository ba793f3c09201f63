export { createEventHub, type EventHub } from './hub.ts';
export { followEvents } from './follow.ts';
