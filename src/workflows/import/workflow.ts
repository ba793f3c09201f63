import { CancellationScope, condition, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import { taskQueues } from '../../domain/declaration.ts';
import type { FileImportActivities, ImportActivities } from '../../activities/import.ts';
import { activitiesOf } from '../proxies.ts';
import { keyword, showAttributes } from '../search-attributes.ts';
import { endDetails, progressDetails } from './details.ts';
import type { ImportInput, ImportResult } from './messages.ts';

/** Pause before the progress is read, at first and at most. An import of an hour adds some hundred events. */
const firstLookMs = 5000;
const maxPauseMs = 60_000;

/**
 * Reads a contact file, judges its rows and stores them. One activity does it all, and starts again when its
 * worker dies: rows of an import are stored under its number, so a second attempt writes the same rows.
 * However the Workflow ends, the directory does not stay `importing`.
 */
export async function importWorkflow(input: ImportInput): Promise<ImportResult> {
  const { organizationUuid, importNumber, importTaskQueue = taskQueues.import } = input;
  showAttributes([keyword('OrgId', organizationUuid)]);
  setCurrentDetails('**Reading** the file.');
  const run = { isOver: false };
  try {
    const { importContacts } = activitiesOf<FileImportActivities>(
      'fileImport',
      `Import ${importNumber}: read, check and store the rows`,
      { taskQueue: importTaskQueue },
    );
    const work = importContacts(input);
    void showProgress(input, run);
    const result = await work;
    run.isOver = true;
    setCurrentDetails(endDetails(result));
    return result;
  } catch (error) {
    run.isOver = true;
    const reason = isCancellation(error) ? 'canceled' : 'given_up';
    await CancellationScope.nonCancellable(() =>
      activitiesOf<ImportActivities>('quick', 'End the wait for the import').abandonImport({
        ...input,
        reason,
      }),
    );
    setCurrentDetails(endDetails({ state: reason === 'canceled' ? 'canceled' : 'failed', rows: 0, ok: 0 }));
    throw error;
  }
}

/** Shows the progress at growing intervals. Faults here have no effect. */
async function showProgress(input: ImportInput, run: { isOver: boolean }): Promise<void> {
  try {
    for (
      let waitMs = firstLookMs;
      !(await condition(() => run.isOver, waitMs));
      waitMs = Math.min(waitMs * 2, maxPauseMs)
    ) {
      const progress = await activitiesOf<ImportActivities>('quick', 'Read the progress').readImport(input);
      if (!run.isOver && progress !== null) setCurrentDetails(progressDetails(progress));
    }
  } catch {
    // A canceled look ends here.
  }
}
