import { TOTP } from 'otpauth';
import { at, idAt, type ApiUnderTest } from './api-on-services.ts';

/** The code that an authenticator app with this secret shows. */
export const codeOf = (secret: string, time: Date): string =>
  new TOTP({ secret }).generate({ timestamp: time.getTime() });

/** A person who signs in with codes. */
export interface WithCodes {
  secret: string;
  /** The code of this moment, or of so many steps later. */
  code: (later?: number) => string;
  recoveryCodes: string[];
  /** How many other sessions have ended. */
  ended: unknown;
}

/** Turns codes on for the person of a session. */
export async function turnOnCodes(
  api: ApiUnderTest,
  { headers, password, now }: { headers: Record<string, string>; password: string; now: () => Date },
): Promise<WithCodes> {
  const begun = await api.send(headers, 'POST', '/auth/second-factor', { password });
  const secret = idAt(begun.body, 'secret');
  const code = (later = 0) => codeOf(secret, new Date(now().getTime() + later * 30_000));
  const { body } = await api.send(headers, 'POST', '/auth/second-factor/confirm', { code: code() });
  const recoveryCodes = Array.from({ length: 10 }, (_, index) => idAt(body, 'recovery_codes', index));
  return { secret, code, recoveryCodes, ended: at(body, 'ended') };
}
