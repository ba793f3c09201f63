import { choice } from './choice.ts';

/** Whether calls in the browser ring, and are heard, unless somebody says otherwise beside the call. */
export const soundChoice = choice('sound', ['on', 'off']);
