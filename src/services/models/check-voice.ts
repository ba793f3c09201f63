import type { Fault } from '../../contract/lax/fault.ts';
import { validationRecord } from '../../contract/lax/records.ts';
import { alternatives } from '../../contract/lax/text.ts';
import { ValidationError } from '../../domain/errors.ts';
import { own, ownObject, type JsonObject } from '../../domain/graph/definition.ts';
import { isSameVendor } from '../../domain/models/choose-voice.ts';
import { looksMasked, restoreModelSecrets } from '../../domain/models/secrets.ts';
import { voiceFault, type VoiceService } from '../../domain/models/voice-settings.ts';

interface Checking {
  service: VoiceService;
  settings: JsonObject;
  /** Of the same place; null = there were none. */
  stored: JsonObject | null;
  loc: (string | number)[];
  /** An override may leave the vendor to the level below, or to the installation. */
  isPartial?: boolean;
}

/**
 * The settings of a voice, or of speech recognition, as they are stored: a masked key that came back is the
 * stored one, but only for the vendor that it was given for. Throws ValidationError with the wire's record
 * for what cannot be used (contract 0.4).
 */
export function requireVoice({ service, settings, stored, loc, isPartial = false }: Checking): JsonObject {
  const restored =
    stored !== null && isSameVendor(stored, settings)
      ? ownObject({ it: restoreModelSecrets(stored, settings) }, 'it')
      : settings;
  const fault = voiceFault(service, isPartial ? restored : { provider: '?', ...restored });
  if (fault !== null)
    throw refused(
      [...loc, fault.field],
      fault.oneOf === undefined
        ? valueError(fault.message)
        : unsupported(fault.oneOf, own(restored, fault.field)),
    );
  const masked = (['api_key', 'credentials'] as const).find((field) => looksMasked(own(restored, field)));
  if (masked !== undefined)
    throw refused(
      [...loc, masked],
      valueError(
        stored !== null && !isSameVendor(stored, settings)
          ? 'a key is kept for its vendor only; send it in full'
          : 'the key is masked and there is no such key; send it in full',
      ),
    );
  return restored;
}

function unsupported(oneOf: readonly string[], input: unknown): Fault {
  const expected = alternatives(oneOf);
  return {
    type: 'literal_error',
    msg: `Input should be ${expected}`,
    input: input ?? null,
    ctx: { expected },
  };
}

/** Without what was sent: it may be a key. */
function valueError(text: string): Fault {
  return { type: 'value_error', msg: `Value error, ${text}`, input: null, ctx: { error: {} } };
}

function refused(loc: (string | number)[], fault: Fault): ValidationError {
  return new ValidationError(`${loc.slice(1).join('.')}: ${fault.msg}`, {
    detail: [validationRecord(loc, fault)],
  });
}
