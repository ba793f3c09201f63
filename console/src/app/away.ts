import { createContext, useSyncExternalStore } from 'react';
import { connectionState } from './api.ts';

/** Id of the banner that says why nothing can be saved. */
export const awayId = 'away';

/** What is changed within stays in this browser until the API answers: the draft of the editor. */
export const KeptHere = createContext(false);

/** Since when the API cannot be reached; null while it answers. */
export const useLostAt = (): Date | null =>
  useSyncExternalStore(connectionState.subscribe, () => connectionState.get().lostAt);
