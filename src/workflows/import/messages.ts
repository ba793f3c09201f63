/** Which file is imported, as which of its imports. Ids alone: what is in the file stays out of Temporal. */
export interface ImportInput {
  directoryId: number;
  directoryUuid: string;
  organizationId: number;
  organizationUuid: string;
  importNumber: number;
  /** Instead of the declared queue of the role `import`. */
  importTaskQueue?: string;
}

/** What became of an import; rows are counted, nothing of them is told. */
export interface ImportResult {
  state: 'ready' | 'failed' | 'canceled' | 'superseded';
  rows: number;
  ok: number;
}
