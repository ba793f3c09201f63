export { createAgent } from './create.ts';
export { createDraft } from './create-draft.ts';
export { getAgent } from './get.ts';
export { listAgents } from './list.ts';
export { listVersions } from './list-versions.ts';
export { publishDraft } from './publish.ts';
export { updateAgent } from './update.ts';
export { validateAgent } from './validate.ts';
export { findRunnableVersion, type RunnableVersion } from './runnable-version.ts';
