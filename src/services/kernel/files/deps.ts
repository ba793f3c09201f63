import type { FileStorage } from '../../../providers/storage/port.ts';

/** What these verbs need of a storage. */
export type FileStore = Pick<FileStorage, 'backend' | 'uploadUrl' | 'facts'>;
