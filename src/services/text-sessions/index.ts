export { createTextSession, type CreateTextSessionInput } from './create.ts';
export type { TextSessionDeps, TextSessionRef } from './deps.ts';
export { getTextSession } from './get.ts';
export { endTextSession, sendMessage, type SessionRequest } from './send-message.ts';
