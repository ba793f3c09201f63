/**
 * Encryption of secrets at rest. A secret that is sealed for one place (table, column, and its organization or
 * user) cannot be opened at another, so a row that is copied to another organization is useless there.
 */
export interface SecretBox {
  /** Returns text for the database: ASCII and safe in a URL. */
  seal(plain: string, place: SecretPlace): string;
  /** Throws InvariantError if it was sealed for another place, was changed, or its key is not in the ring. */
  open(sealed: string, place: SecretPlace): string;
  /** True if it was sealed with the current key. */
  isCurrent(sealed: string): boolean;
}

export type SecretPlace = { table: string; column: string } & (
  | { organizationId: number }
  | { userId: number }
);
