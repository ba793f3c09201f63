export { archiveTool } from './agent-tools/archive.ts';
export { createTool } from './agent-tools/create.ts';
export { getTool } from './agent-tools/get.ts';
export { openedConfig, toolPlace } from './agent-tools/internal.ts';
export { listTools } from './agent-tools/list.ts';
export { sendToolRequest, toToolAnswer } from './agent-tools/send.ts';
export { type ToolTestDeps, testTool } from './agent-tools/test-tool.ts';
export { unarchiveTool } from './agent-tools/unarchive.ts';
export { updateTool } from './agent-tools/update.ts';
export { changeAgentState } from './change-state.ts';
export { countAgents } from './count.ts';
export { createDraft } from './create-draft.ts';
export { createAgent } from './create.ts';
export { discardDraft } from './discard-draft.ts';
export { duplicateTemplate } from './duplicate-template.ts';
export { duplicateAgent } from './duplicate.ts';
export { createFolder } from './folders/create.ts';
export { deleteFolder } from './folders/delete.ts';
export { listFolders } from './folders/list.ts';
export { renameFolder } from './folders/rename.ts';
export { type GenerateDeps, generateAgent } from './generate.ts';
export { getVersion } from './get-version.ts';
export { getAgent } from './get.ts';
export { inspectGraph } from './inspect-graph.ts';
export { findAgent } from './internal.ts';
export { listAgentOverviews } from './overviews/list.ts';
export { listTemplates } from './list-templates.ts';
export { listAgentVariables } from './list-variables.ts';
export { listVersions } from './list-versions.ts';
export { listAgents } from './list.ts';
export { moveAgentToFolder } from './move-to-folder.ts';
export { presignAmbientNoise } from './presign-ambient-noise.ts';
export { publishDraft } from './publish.ts';
export { deleteRecording } from './recorded-lines/delete.ts';
export { findRecordedLine } from './recorded-lines/find-line.ts';
export { listRecordings } from './recorded-lines/list.ts';
export { presignRecordings } from './recorded-lines/presign.ts';
export { type NewRecording, registerRecordings } from './recorded-lines/register.ts';
export { renameRecording } from './recorded-lines/rename.ts';
export { restoreVersion } from './restore-version.ts';
export {
  type RunnableVersion,
  findRunnableVersion,
  requireRunnable,
  runnableTestVersion,
} from './runnable-version.ts';
export { summarizeAgents } from './summarize.ts';
export { agentTag } from './tag.ts';
export { type TriggerAddress, findTriggeredVersion, requireActive } from './triggered-version.ts';
export { updateAgent } from './update.ts';
export { validateAgent } from './validate.ts';
