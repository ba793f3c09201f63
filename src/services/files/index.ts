export type { FileStore } from './deps.ts';
export { findFile } from './find.ts';
export { getFileMetadata } from './metadata.ts';
export { grantLineUpload, presignAmbientNoise, presignUpload, type AnnouncedFile } from './presign.ts';
