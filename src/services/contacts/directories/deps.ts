import type { ContactFiles } from '../../../providers/contact-files/port.ts';
import type { Files } from '../../../providers/storage/port.ts';
import type { ImportRuns } from '../../../temporal/import-port.ts';

/** Where contact files lie, and who reads them. */
export interface ContactFileDeps {
  /** Absent = the installation keeps no files. */
  files?: Pick<Files, 'write' | 'facts' | 'read' | 'remove'> | undefined;
  contactFiles: ContactFiles;
}

/** What the verbs on directories need of the world. */
export interface DirectoryDeps extends ContactFileDeps {
  imports: ImportRuns;
  /** Most bytes of a contact file. */
  maxBytes: number;
}
