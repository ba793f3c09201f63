import type { ContactFinding } from '../../../../src/contract/directories.ts';
import { hasWords, t } from '../../app/words.ts';

/** A campaign says which row has the same number only in its message. */
type Finding = Omit<ContactFinding, 'other_row'> & { other_row?: number | null };

/**
 * What is wrong with a cell or a row; in the server's words if the catalog does not know the code, or what it names.
 */
export const faultText = ({ code, message, other_row: row }: Finding): string =>
  hasWords(`contacts.fault.${code}`) && !(code === 'duplicate' && row === undefined)
    ? t(`contacts.fault.${code}`, { row: row ?? 0 })
    : message;

/** What to do about it. */
export const adviceText = ({ code, suggestion }: Finding): string =>
  hasWords(`contacts.advice.${code}`) ? t(`contacts.advice.${code}`) : suggestion;
