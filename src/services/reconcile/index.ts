export { closeStray } from './close-stray.ts';
export type { ReconcileDeps } from './deps.ts';
export { findStrays, type FindStraysInput, type Stray, type StrayPage } from './find-strays.ts';
