import type { ContactFiles } from '../../../providers/contact-files/port.ts';
import type { Files } from '../../../providers/storage/port.ts';
import type { ImportRuns } from '../../../temporal/import-port.ts';

/** Where contact files are stored, and what reads them. */
export interface ContactFileDeps {
  /** Absent = the installation keeps no files. */
  files?: Pick<Files, 'write' | 'facts' | 'read' | 'remove'> | undefined;
  contactFiles: ContactFiles;
}

/** What operations on directories depend on. */
export interface DirectoryDeps extends ContactFileDeps {
  imports: ImportRuns;
  /** Maximum size of a contact file in bytes. */
  maxBytes: number;
}
