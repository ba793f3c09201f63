export { addSuppressions } from './add.ts';
export { exportSuppressions } from './export.ts';
export { findSuppressed, isSuppressed } from './find-suppressed.ts';
export { importSuppressions } from './import.ts';
export { listSuppressions } from './list.ts';
export { removeSuppression } from './remove.ts';
export { suppress, suppressedTarget } from './suppress.ts';
