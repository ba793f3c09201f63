/** Which file to import, and the number of the import. Only ids: the file's content stays out of Temporal. */
export interface ImportInput {
  directoryId: number;
  directoryUuid: string;
  organizationId: number;
  organizationUuid: string;
  importNumber: number;
  /** Instead of the declared queue of the role `import`. */
  importTaskQueue?: string;
}

/** The result of an import: only the number of its rows. */
export interface ImportResult {
  state: 'ready' | 'failed' | 'canceled' | 'superseded';
  rows: number;
  ok: number;
}
