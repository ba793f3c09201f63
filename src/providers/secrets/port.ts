/**
 * Encryption of secrets at rest. What is sealed for one place (table, column, organization) cannot be opened
 * at another, so a row that was copied to another tenant is worth nothing there.
 */
export interface SecretBox {
  /** Text for the database: ASCII and safe in a URL. */
  seal(plain: string, place: SecretPlace): string;
  /** Throws InvariantError when it was sealed elsewhere, was changed, or its key is not in the ring. */
  open(sealed: string, place: SecretPlace): string;
  /** True when it was sealed with the key that seals today. */
  isCurrent(sealed: string): boolean;
}

export interface SecretPlace {
  table: string;
  column: string;
  organizationId: number;
}
