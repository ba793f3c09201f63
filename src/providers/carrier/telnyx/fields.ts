import { z } from 'zod';

/** A word of the carrier, such as an id, as our columns hold it: printable ASCII. */
export const word = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[ -~]+$/);

/** Lengths of the columns (`carrier_events`, `phone_legs`). */
export const EventId = word(96);
export const EventType = word(96);
export const ControlId = word(255);
export const LegId = word(96);
