import type { Accounts } from './account.ts';
import type { Conferences } from './conference.ts';
import type { LegBook } from './leg-book.ts';
import type { CarrierLog } from './log.ts';
import type { PersonaBook } from './persona-book.ts';
import type { Settings } from './settings.ts';
import type { SigningKey } from './signing-key.ts';
import type { WebhookSender } from './webhooks.ts';

/** State that the parts of one emulator share. */
export interface World {
  settings: Settings;
  key: SigningKey;
  log: CarrierLog;
  accounts: Accounts;
  webhooks: WebhookSender;
  personas: PersonaBook;
  legs: LegBook;
  conferences: Conferences;
}
