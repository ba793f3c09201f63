export { assembleRecording, type RecordingDeps, type RecordingStore } from './assemble.ts';
export { removeRecordingFiles, removeRecordingRows } from './erase.ts';
export { beginPiece, endPiece } from './piece.ts';
