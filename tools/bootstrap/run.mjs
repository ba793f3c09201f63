/**
 * `node run.mjs [node options] <script> [arguments]`: runs a script of the project on a recent enough Node.
 */
import { launch } from './launch.mjs';

await launch(process.argv.slice(2));
