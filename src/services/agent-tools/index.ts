export { archiveTool } from './archive.ts';
export { createTool } from './create.ts';
export { getTool } from './get.ts';
export { listTools } from './list.ts';
export { sendToolRequest, toToolAnswer } from './send.ts';
export { testTool, type ToolTestDeps } from './test-tool.ts';
export { toolNamesOf } from './names.ts';
export { unarchiveTool } from './unarchive.ts';
export { updateTool } from './update.ts';
