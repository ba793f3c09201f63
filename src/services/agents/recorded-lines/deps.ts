import type { FileStorage } from '../../../providers/storage/port.ts';

/** Where the files of recordings lie; absent = the installation keeps no files. */
export interface RecordingDeps {
  storage?: Pick<FileStorage, 'backend' | 'uploadUrl' | 'facts' | 'read' | 'remove'> | undefined;
}
