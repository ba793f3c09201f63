import { readConfig, readWorkerConfig, type Config, type WorkerConfig } from './env.ts';

/** Reads the configuration of this process. Throws ConfigError. */
export function configOfThisProcess(): Config {
  return readConfig(process.env);
}

/** Reads the configuration of a worker. Throws ConfigError. */
export function configOfWorker(): WorkerConfig {
  return readWorkerConfig(process.env);
}

/** The configuration of a process that decrypts nothing, and so needs no encryption keys. Throws ConfigError. */
export function configWithoutKeys(): Omit<Config, 'encryptionKeys'> {
  const { encryptionKeys: _, ...config } = readConfig({ PARLANCE_ENCRYPTION_KEYS: 'none', ...process.env });
  return config;
}
