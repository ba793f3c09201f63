import type { FileStorage } from '../../../providers/storage/port.ts';

/** The storage operations that these functions need. */
export type FileStore = Pick<FileStorage, 'backend' | 'uploadUrl' | 'facts'>;
