import { isDuplicate } from '../../db/transaction.ts';
import { ConflictError } from '../../domain/errors.ts';

/** A unique key over names, and what to say when it is violated. */
export interface TakenName {
  key: string;
  message: string;
}

/** Turns a violation of the key into a ConflictError; returns other errors unchanged. */
export const translateTakenName = (error: unknown, { key, message }: TakenName): unknown =>
  isDuplicate(error, key) ? new ConflictError(message) : error;
