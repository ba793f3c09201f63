export { createTextSession } from './create.ts';
export { getTextSession } from './get.ts';
export { endTextSession, sendMessage } from './send-message.ts';
