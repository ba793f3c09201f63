import type { Definition } from '../../domain/graph/definition.ts';
import { webhookNodes as allWebhookNodes, type WebhookNode } from '../../domain/graph/model.ts';

export type SendableWebhook = WebhookNode & { url: string };

/** The webhooks that a call sends, in graph order: enabled ones with an address (contract 9.1). */
export function webhookNodes(definition: Definition): SendableWebhook[] {
  return allWebhookNodes(definition).filter((node): node is SendableWebhook => node.enabled && node.url !== null && URL.canParse(node.url));
}
