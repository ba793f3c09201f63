export type { FileStore } from './deps.ts';
export { findFile } from './find.ts';
export { getFileMetadata } from './metadata.ts';
export { presignAmbientNoise, presignUpload } from './presign.ts';
