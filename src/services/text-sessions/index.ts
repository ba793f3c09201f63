export { createTextSession } from './create.ts';
export { getTextSession } from './get.ts';
export { endTextSession, rewindTextSession, sendMessage } from './send-message.ts';
