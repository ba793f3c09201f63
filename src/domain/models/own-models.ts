import type { AgentModels } from '../agents/settings.ts';
import { llmOfConfiguration } from './llm-settings.ts';

const services = ['llm', 'tts', 'stt'] as const;

/**
 * The services whose model an agent decides for itself, over its organization's (contract 3.1). A whole configuration
 * decides all of them, also those that it leaves to the installation.
 */
export function ownModels({ modelConfiguration, modelOverrides }: AgentModels): (typeof services)[number][] {
  const hasWhole = llmOfConfiguration(modelConfiguration) !== null;
  // Editors also send empty fields, which do not count.
  const hasFields = (service: (typeof services)[number]) =>
    Object.values(modelOverrides[service] ?? {}).some((value) => value !== null && value !== '');
  return services.filter((service) => hasWhole || hasFields(service));
}
