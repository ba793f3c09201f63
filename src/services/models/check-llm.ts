import type { Fault } from '../../contract/lax/fault.ts';
import { validationRecord } from '../../contract/lax/records.ts';
import { alternatives } from '../../contract/lax/text.ts';
import { ValidationError } from '../../domain/errors.ts';
import { own, type JsonObject } from '../../domain/graph/definition.ts';
import { isLlmVendor, llmVendorNames } from '../../domain/models/catalog.ts';
import { llmFault, readLlm, sameAddressee } from '../../domain/models/llm-settings.ts';
import { isInstalled, type InstalledModels, usesInstallationKey } from '../../domain/models/installed.ts';
import { looksMasked } from '../../domain/models/secrets.ts';

/**
 * The settings of a language model to store. A masked key stands for the stored one, but only for the vendor
 * and the address that the stored key belongs to. Throws ValidationError with the wire's record for unusable
 * settings (contract 0.4).
 */
export function requireLlm({
  llm,
  stored,
  loc,
  installed,
}: {
  llm: JsonObject;
  stored: JsonObject | null;
  loc: (string | number)[];
  installed: InstalledModels | undefined;
}): JsonObject {
  const provider = own(llm, 'provider');
  if (provider !== undefined && !isLlmVendor(provider))
    throw refused([...loc, 'provider'], unsupported(provider));
  const fault = llmFault(readLlm(llm));
  if (fault !== null)
    throw refused([...loc, fault.field], valueError(fault.message, own(llm, fault.field) ?? null));
  if (usesInstallationKey(llm)) {
    if (isInstalled(llm, installed)) return llm;
    throw refused([...loc, 'api_key'], valueError(onlyInstalled(installed), own(llm, 'api_key')));
  }
  if (!looksMasked(own(llm, 'api_key'))) return llm;
  throw refused(
    [...loc, 'api_key'],
    valueError(
      stored !== null && !sameAddressee(stored, llm)
        ? 'a stored key is used only for its own vendor and address; send the key in full'
        : 'this mask matches no stored key; send the key in full',
      own(llm, 'api_key'),
    ),
  );
}

const onlyInstalled = (installed: InstalledModels | undefined) =>
  `the installation's key is only for its own model${installed === undefined ? '' : ` ${installed.llm.provider}/${installed.llm.model}`}; send a key of your own for another one`;

function unsupported(input: unknown): Fault {
  const expected = alternatives(llmVendorNames);
  return { type: 'literal_error', msg: `Input should be ${expected}`, input, ctx: { expected } };
}

function valueError(text: string, input: unknown): Fault {
  return { type: 'value_error', msg: `Value error, ${text}`, input, ctx: { error: {} } };
}

function refused(loc: (string | number)[], fault: Fault): ValidationError {
  return new ValidationError(`${loc.slice(1).join('.')}: ${fault.msg}`, {
    detail: [validationRecord(loc, fault)],
  });
}
