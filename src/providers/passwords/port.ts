/** Hashes passwords, slowly on purpose. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /**
   * Whether a password matches a hash; false for null. Takes equally long for null, so that the time does not
   * reveal whether an account exists.
   */
  matches(password: string, hash: string | null): Promise<boolean>;
}
