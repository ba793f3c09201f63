import { readConfig, type Config } from './env.ts';

/** The composition roots' one call: configuration of this process. */
export function configOfThisProcess(): Config {
  return readConfig(process.env);
}
