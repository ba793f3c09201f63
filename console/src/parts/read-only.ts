import { createContext } from 'react';

/** Fields within can be read and not changed. */
export const ReadOnly = createContext(false);
