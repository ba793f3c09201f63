import {
  abandonImport,
  importContacts,
  readImport,
  type ImportDeps,
  type ImportRef,
} from '../services/contacts/index.ts';
import type { Logger } from '../runtime/logger.ts';
import { translated, withAttempts } from './attempts.ts';

export type FileImportActivities = ReturnType<typeof createFileImportActivities>;
export type ImportActivities = ReturnType<typeof createImportActivities>;

/** The activity of `importWorkflow` that reads the file, on a task queue for files alone. */
export function createFileImportActivities(deps: ImportDeps & { log: Logger }) {
  const { log } = deps;
  return {
    /** One pass over the file, with heartbeats. It replaces the rows of an earlier attempt. */
    async importContacts(input: ImportRef): Promise<Awaited<ReturnType<typeof importContacts>>> {
      return await withAttempts({ log, ids: idsOf(input) }, (signal) =>
        importContacts({ deps, input: idsOf(input), signal }),
      );
    },
  };
}

/** The activities of `importWorkflow` on its own task queue. */
export function createImportActivities(deps: Pick<ImportDeps, 'db'> & { log: Logger }) {
  const { log } = deps;
  return {
    /** The progress of an import; null when it is over. */
    async readImport(input: ImportRef): Promise<Awaited<ReturnType<typeof readImport>>> {
      return await translated({ log, ids: idsOf(input) }, () => readImport({ deps, input: idsOf(input) }));
    },
    /** Ends the directory's wait for this import. */
    async abandonImport(input: ImportRef & { reason: 'canceled' | 'given_up' }): Promise<void> {
      await translated({ log, ids: idsOf(input) }, () =>
        abandonImport({ deps, input: { ...idsOf(input), reason: input.reason } }),
      );
    },
  };
}

const idsOf = ({ directoryId, organizationId, importNumber }: ImportRef) => ({
  directoryId,
  organizationId,
  importNumber,
});
