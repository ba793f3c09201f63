export { createCall, type CreateCallDeps } from './create.ts';
export { readFilters } from './filters.ts';
export { getCall } from './get.ts';
export { listCalls } from './list.ts';
export { reportCalls } from './report.ts';
export { findCallByPublicToken } from './public-token.ts';
export { renderTranscript } from './transcript.ts';
