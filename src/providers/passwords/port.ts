/** Hashes of passwords, slow on purpose. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /**
   * Takes as long for null, which no password fits, as for a hash: nobody learns by the clock who is
   * registered.
   */
  fits(password: string, hash: string | null): Promise<boolean>;
}
