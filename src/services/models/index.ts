export { modelCatalog, serviceCatalogs, toVoices } from './catalogs.ts';
export { getModelConfiguration, getUserConfiguration, previewMigration } from './get.ts';
export { toPricing } from './mapper.ts';
export { openingLlm } from './opening-llm.ts';
export { resolveLlm, type LlmDeps, type ResolvedLlm } from './resolve-llm.ts';
export { resolveVoice, sttOf } from './resolve-voice.ts';
export { saveModelConfiguration } from './save.ts';
export { saveUserConfiguration } from './save-user.ts';
export { validateKeys } from './validate.ts';
