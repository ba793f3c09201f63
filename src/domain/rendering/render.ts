import { createRenderer } from '../template/renderer.ts';
import { ianaZones } from './iana-zones.ts';

export type { Rendering } from '../template/renderer.ts';
export { payloadVariables, promptVariables, type Variables } from '../template/variables.ts';

/** The service's rendering of templates (contract 7). */
export const { renderTemplate, renderSystemPrompt, renderPayload } = createRenderer(ianaZones);
