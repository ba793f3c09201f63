export { askCarrier } from './ask.ts';
export { noteDialAnswered, noteDialFault } from './note-dial.ts';
export { findOutage, noteProbe } from './read.ts';
