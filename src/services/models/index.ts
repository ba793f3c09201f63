export { modelCatalog, serviceCatalogs, toVoices } from './catalogs.ts';
export { requireLlm } from './check-llm.ts';
export { requireVoice } from './check-voice.ts';
export { type LlmReply, type ReplyListener, collectReply } from './collect-reply.ts';
export {
  dayLimitError,
  type DayLimitReached,
  findDayLimit,
  type ModelQuotas,
  requireInstallationQuota,
} from './day-limit.ts';
export { createFarFromQuota, type FarFromQuota, findUsedUpQuota, requireQuota } from './quota.ts';
export { getModelConfiguration, getUserConfiguration, previewMigration } from './get.ts';
export { configurationPlace, createRecentConfigurations, readConfiguration } from './internal.ts';
export { toPricing } from './mapper.ts';
export { openingLlm } from './opening-llm.ts';
export { type LlmDeps, type ResolvedLlm, resolveLlm } from './resolve-llm.ts';
export { resolveVoice, sttOf } from './resolve-voice.ts';
export { createSampleLimit, type SampleVoices, sampleVoice } from './sample-voice.ts';
export { saveUserConfiguration } from './save-user.ts';
export { saveModelConfiguration } from './save.ts';
export { validateKeys } from './validate.ts';
