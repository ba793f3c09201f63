export { isOver, lockCall } from './lock-call.ts';
export { removeRecording } from './remove-recording.ts';
export { removeTranscript } from './remove-transcript.ts';
export { removeVariables } from './remove-variables.ts';
export { addRemoved, type Removed } from './removed.ts';
