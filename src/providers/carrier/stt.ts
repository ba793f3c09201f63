import { createTelnyxStt, defaultTelnyxModel } from './telnyx/stt.ts';

/** Speech recognition of vendors that are carriers, too. Apart from registry.ts: a media host loads no carrier. */
export const carrierStts = { telnyx: { create: createTelnyxStt, defaultModel: defaultTelnyxModel } } as const;
