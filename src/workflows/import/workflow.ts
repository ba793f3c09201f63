import { CancellationScope, condition, isCancellation, setCurrentDetails } from '@temporalio/workflow';
import { taskQueues } from '../../domain/declaration.ts';
import type { FileImportActivities, ImportActivities } from '../../activities/import.ts';
import { activitiesOf } from '../proxies.ts';
import { keyword, showAttributes } from '../search-attributes.ts';
import { endDetails, progressDetails } from './details.ts';
import type { ImportInput, ImportResult } from './messages.ts';

/** How long until progress is looked at, first and at most: an import of an hour adds some hundred events. */
const firstLookMs = 5000;
const longestLookMs = 60_000;

/**
 * Reads a contact file, judges its rows and stores them. One activity does it all, and begins anew when its
 * worker dies: rows of an import are stored under its number, so a second attempt writes the same ones.
 * However this ends, the directory does not say `importing` any more.
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
      activitiesOf<ImportActivities>('quick', 'The directory is not imported any more').abandonImport({
        ...input,
        reason,
      }),
    );
    setCurrentDetails(endDetails({ state: reason === 'canceled' ? 'canceled' : 'failed', rows: 0, ok: 0 }));
    throw error;
  }
}

/** Tells how far the rows are, at growing intervals. What fails here changes nothing. */
async function showProgress(input: ImportInput, run: { isOver: boolean }): Promise<void> {
  try {
    for (
      let waitMs = firstLookMs;
      !(await condition(() => run.isOver, waitMs));
      waitMs = Math.min(waitMs * 2, longestLookMs)
    ) {
      const progress = await activitiesOf<ImportActivities>('quick', 'Look how far it is').readImport(input);
      if (!run.isOver && progress !== null) setCurrentDetails(progressDetails(progress));
    }
  } catch {
    // A canceled look is none.
  }
}
