import type { ImportInput } from '../workflows/import/messages.ts';

export type { ImportInput } from '../workflows/import/messages.ts';

/**
 * Imports of contact files, as services see them. Each method throws UnavailableError('temporal') when
 * Temporal cannot be reached.
 */
export interface ImportRuns {
  /**
   * Starts an import; `over` when the very same one has been made and is over. One that runs already is it.
   */
  start: (input: ImportInput) => Promise<'runs' | 'over'>;
  /** Asks an import to stop; `gone` when it is over or nobody knows it. */
  cancel: (directoryUuid: string, importNumber: number) => Promise<'asked' | 'gone'>;
}
