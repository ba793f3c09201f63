export { getModelConfiguration, getUserConfiguration, previewMigration } from './get.ts';
export { modelCatalog, serviceCatalogs, toPricing } from './mapper.ts';
export { resolveLlm, type LlmDeps, type ResolvedLlm } from './resolve-llm.ts';
export { saveModelConfiguration } from './save.ts';
export { saveUserConfiguration } from './save-user.ts';
export { validateKeys } from './validate.ts';
