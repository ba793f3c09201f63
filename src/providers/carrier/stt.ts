import { createTelnyxStt, defaultTelnyxModel } from './telnyx/stt.ts';

/**
 * Speech recognition of carriers. Separate from registry.ts, because media hosts do not load carrier
 * adapters.
 */
export const carrierStts = { telnyx: { create: createTelnyxStt, defaultModel: defaultTelnyxModel } } as const;
