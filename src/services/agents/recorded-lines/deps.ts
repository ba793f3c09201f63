import type { FileStorage } from '../../../providers/storage/port.ts';

/** The storage of recordings; absent when the installation has no storage. */
export interface RecordingDeps {
  storage?: Pick<FileStorage, 'backend' | 'uploadUrl' | 'facts' | 'read' | 'remove'> | undefined;
}
