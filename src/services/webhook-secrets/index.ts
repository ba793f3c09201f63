export { addWebhookSecret } from './add.ts';
export { listWebhookSecrets, liveWebhookSecrets } from './list.ts';
export { retireWebhookSecret } from './retire.ts';
