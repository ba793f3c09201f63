import { z } from 'zod';

const share = z.number().min(0).max(1);
const ms = z.number().int().min(0);

/** Pause between two attempts of a webhook in ms, unless a command requested other pauses. */
export const usualDelayMs = 2_000;

/** Faults and their frequency: shares from 0 to 1, drawn from the seed for each call and each webhook. */
export const Faults = z
  .strictObject({
    webhooks: z
      .strictObject({
        /** Delivered twice. */
        duplicate: share,
        /** Delivered up to `delayMs` late, so that later ones overtake it. */
        delay: share,
        delayMs: ms,
        /**
         * The first attempt counts as answered with 503 without being sent; the retry follows after the usual
         * pause.
         */
        lostFirst: share,
        /** By event type: the first attempt is that late. */
        lateMs: z.record(z.string(), ms),
      })
      .partial(),
    rest: z
      .strictObject({
        /** The command is done, but the answer is a 500. */
        errorAfterEffect: share,
        /** A 500, and nothing is done. */
        error: share,
        /** The command is done, but never answered. */
        silenceAfterEffect: share,
      })
      .partial(),
    media: z
      .strictObject({
        /** A frame to the media host is lost. */
        drop: share,
        /** A frame is swapped with the next one. */
        swap: share,
        /** A frame arrives `lateMs` late. */
        late: share,
        lateMs: ms,
        /** The media socket is reset this long after `start`. */
        resetAfterMs: ms,
        /** The codec of the leg; L16 has 16 kHz, the others 8 kHz. */
        codec: z.enum(['PCMU', 'PCMA', 'L16']),
      })
      .partial(),
    /** The leg continues under another control id once it is answered; the old one becomes unknown. */
    changesControlId: z.boolean(),
  })
  .partial();

export type Faults = z.infer<typeof Faults>;

const RepeatedDialAnswer = z.enum(['same', 'ignored', 'refused', 'channel_limit']);
/**
 * The answer to a dial whose `command_id` is known: that of the first one, success without a leg, or a refusal; of
 * several, one by the seed and the number. It never rings again.
 */
export const RepeatedDial = z.union([RepeatedDialAnswer, z.array(RepeatedDialAnswer).min(1)]);

export const Settings = z.strictObject({
  seed: z.string().default('parlance'),
  faults: Faults.default({}),
  /** Unknown behavior of the real carrier; each possibility can be tested. */
  assumptions: z
    .strictObject({
      /** When the media socket is lost: the call goes on, or ends. */
      afterSocketLoss: z.enum(['survives', 'drops']).default('survives'),
      /** `streaming_start` is answered with 90045 for this long after the loss. */
      busyForMs: ms.default(0),
      /** `streaming.stopped` follows the loss after this time; null = never. */
      stoppedAfterMs: ms.nullable().default(50),
      repeatedDial: RepeatedDial.default('same'),
      /** `active_calls` lists legs that are not answered yet. */
      listsRinging: z.boolean().default(true),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** Live legs, answered or not. */
      account: z.number().int().min(0).default(1_000),
      profile: z.number().int().min(0).default(1_000),
      connection: z.number().int().min(0).default(1_000),
      /** Dials within any 5 seconds. */
      dialsPer5s: z.number().int().min(0).default(150),
    })
    .prefault({}),
  /** Every command is done and answered after this delay. */
  answerAfterMs: ms.default(0),
  /** How long a `command_id` prevents a second execution. */
  commandMemoryMs: ms.default(60_000),
  webhooks: z
    .strictObject({
      timeoutMs: ms.default(2_000),
      retryDelayMs: ms.default(usualDelayMs),
      /** For each address: the call's own, then the failover. */
      attempts: z.number().int().min(1).default(4),
    })
    .prefault({}),
});

export type Settings = z.infer<typeof Settings>;
export type SettingsInput = z.input<typeof Settings>;
