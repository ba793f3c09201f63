/**
 * `npm run histories:record -- <release> [folder[/scenario]...]` runs Workflows on the Temporal and MariaDB
 * servers of the environment (PARLANCE_TEST_*) and writes their histories to
 * test/histories/<release>/<folder>/<scenario>.json.gz. The replay test uses them to check that changed code
 * can take over live executions. Record while preparing the release; never change the histories of a
 * published release. They contain no personal data: the people are invented.
 */
import { openCalls } from './call.ts';
import { openCampaigns } from './campaign.ts';
import { openBacklogs, openDeliveries, openDrains } from './delivery.ts';
import { openErasures } from './erasure.ts';
import { openImports } from './import.ts';
import { openJudgings } from './judging.ts';
import { openReconciliations } from './reconcile.ts';
import { openRetentions } from './retention.ts';
import { openSpokenCalls } from './voice.ts';
import { asTestRun } from '../../test/support/test-run.mjs';
import { keepHistories, type Recording } from './recording.ts';

/** One folder per Workflow type, and a separate one for spoken calls. */
const folders: Record<string, () => Promise<Recording>> = {
  call: openCalls,
  campaign: openCampaigns,
  delivery: openDeliveries,
  drain: openDrains,
  backlog: openBacklogs,
  reconcile: openReconciliations,
  retention: openRetentions,
  import: openImports,
  erasure: openErasures,
  judging: openJudgings,
  voice: openSpokenCalls,
};

const [release, ...only] = process.argv.slice(2);
if (release === undefined)
  throw new Error('Usage: npm run histories:record -- <release> [folder[/scenario]...]');

await asTestRun(async () => {
  for (const [folder, open] of Object.entries(folders)) {
    const wanted = (name: string) =>
      only.length === 0 || only.includes(folder) || only.includes(`${folder}/${name}`);
    if (only.length > 0 && !only.some((each) => each.split('/')[0] === folder)) continue;
    const recording = await open();
    try {
      for (const name of recording.names.filter(wanted)) {
        const workflowId = await recording.play(name);
        await keepHistories({
          temporal: recording.temporal,
          workflowId,
          folder: new URL(`../../test/histories/${release}/${folder}/`, import.meta.url),
          name,
        });
      }
    } finally {
      await recording.close();
    }
  }
});
