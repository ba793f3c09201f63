/** `npm run parlance`: the command line, which uses the service of `npm start` when no profile is stored. */
import { developmentProfile } from './development-profile.mjs';
import { launch } from './launch.mjs';

process.env.PARLANCE_DEVELOPMENT_PROFILE ??= developmentProfile();
await launch(['src/cli/main.ts', ...process.argv.slice(2)]);
