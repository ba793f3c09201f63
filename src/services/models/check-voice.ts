import type { Fault } from '../../contract/lax/fault.ts';
import { validationRecord } from '../../contract/lax/records.ts';
import { alternatives } from '../../contract/lax/text.ts';
import { ValidationError } from '../../domain/errors.ts';
import { own, ownObject, type JsonObject } from '../../domain/graph/definition.ts';
import { isSameVendor } from '../../domain/models/choose-voice.ts';
import { looksMasked, restoreModelSecrets } from '../../domain/models/secrets.ts';
import { refusingMoved } from '../kernel/index.ts';
import { voiceFault, type VoiceService } from '../../domain/models/voice-settings.ts';

interface Checking {
  service: VoiceService;
  settings: JsonObject;
  /** The stored settings of the same place; null if there are none. */
  stored: JsonObject | null;
  loc: string[];
  /** An override may leave the vendor to the level below, or to the installation. */
  isPartial?: boolean;
}

/**
 * The settings of a voice, or of speech recognition, to store. A masked key stands for the stored one, but
 * only for the vendor that the stored key belongs to. Throws ValidationError with the wire's record for
 * unusable settings (contract 0.4).
 */
export function requireVoice({ service, settings, stored, loc, isPartial = false }: Checking): JsonObject {
  const restored =
    stored !== null && isSameVendor(stored, settings)
      ? ownObject({ it: refusingMoved(loc.slice(1), () => restoreModelSecrets(stored, settings)) }, 'it')
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
          ? 'a stored key is used only for its own vendor; send the key in full'
          : 'this mask matches no stored key; send the key in full',
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

/** Omits the input, because it may be a key. */
function valueError(text: string): Fault {
  return { type: 'value_error', msg: `Value error, ${text}`, input: null, ctx: { error: {} } };
}

function refused(loc: (string | number)[], fault: Fault): ValidationError {
  return new ValidationError(`${loc.slice(1).join('.')}: ${fault.msg}`, {
    detail: [validationRecord(loc, fault)],
  });
}
