import { readConfig, type Config } from './env.ts';

/** Reads the configuration of this process. Throws ConfigError. */
export function configOfThisProcess(): Config {
  return readConfig(process.env);
}
