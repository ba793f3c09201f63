export { changeAgentState } from './change-state.ts';
export { countAgents } from './count.ts';
export { createAgent } from './create.ts';
export { createDraft } from './create-draft.ts';
export { discardDraft } from './discard-draft.ts';
export { duplicateAgent } from './duplicate.ts';
export { duplicateTemplate } from './duplicate-template.ts';
export { generateAgent, type GenerateDeps } from './generate.ts';
export { getAgent } from './get.ts';
export { findAgent } from './internal.ts';
export { listAgents } from './list.ts';
export { listTemplates } from './list-templates.ts';
export { listVersions } from './list-versions.ts';
export { moveAgentToFolder } from './move-to-folder.ts';
export { publishDraft } from './publish.ts';
export { restoreVersion } from './restore-version.ts';
export { agentTag, matchesTag } from './tag.ts';
export { summarizeAgents } from './summarize.ts';
export { updateAgent } from './update.ts';
export { validateAgent } from './validate.ts';
export {
  findRunnableVersion,
  requireRunnable,
  runnableTestVersion,
  type RunnableVersion,
} from './runnable-version.ts';
export { findTriggeredVersion, requireActive, type TriggerAddress } from './triggered-version.ts';
