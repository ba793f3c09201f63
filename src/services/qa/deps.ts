import type { CustomerLlms } from '../../providers/llm/port.ts';
import type { ConversationDeps } from '../conversation/index.ts';

/** What judging needs of the world. */
export interface QaDeps extends ConversationDeps {
  /** Models that QA nodes bring themselves. */
  customerLlms: CustomerLlms;
}
