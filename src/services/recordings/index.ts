export { deleteRecording } from './delete.ts';
export { listRecordings } from './list.ts';
export { presignRecordings } from './presign.ts';
export { registerRecordings, type NewRecording } from './register.ts';
export { renameRecording } from './rename.ts';
export { findRecordedLine } from './find-line.ts';
