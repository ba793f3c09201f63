import {
  abandonImport,
  importContacts,
  readImport,
  type ImportDeps,
  type ImportRef,
} from '../services/contacts/index.ts';
import type { Logger } from '../runtime/logger.ts';
import { translated, withAttempts } from './attempts.ts';

export type ImportActivities = ReturnType<typeof createImportActivities>;

/** Activities of `importWorkflow`. */
export function createImportActivities(deps: ImportDeps & { log: Logger }) {
  const { log } = deps;
  const idsOf = ({ directoryId, organizationId, importNumber }: ImportRef) => ({
    directoryId,
    organizationId,
    importNumber,
  });
  return {
    /** One pass over the file, with heartbeats. It replaces the rows of an earlier attempt. */
    async importContacts(input: ImportRef): Promise<Awaited<ReturnType<typeof importContacts>>> {
      return await withAttempts({ log, ids: idsOf(input) }, (signal) =>
        importContacts({ deps, input: idsOf(input), signal }),
      );
    },
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
