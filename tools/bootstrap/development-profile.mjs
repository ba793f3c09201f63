import { writeFileSync, renameSync } from 'node:fs';
import { folder, statePath } from './project.mjs';

/** The profile that `npm start` writes for the command line, in the form of its configuration. */
export const developmentProfile = () => statePath('cli-profile.json');

/** Stores the address of the service and its key. Without a key there is no profile. */
export function keepDevelopmentProfile({ apiUrl, apiKey }, file = developmentProfile()) {
  if (apiKey === null) return;
  folder(statePath());
  const content = { current: 'development', profiles: { development: { url: apiUrl, api_key: apiKey } } };
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
