import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';
import { say } from './report.mjs';

const recordedFile = join(root, '.ci', 'seconds.json');

/** Prints the seconds of each stage, and marks those that took a fifth longer than recorded. */
export function printStages(stages, { isRecorded = false, file = recordedFile } = {}) {
  const recorded = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  say('\nSeconds by stage:');
  for (const line of stageLines(stages, recorded)) say(`  ${line}`);
  if (!isRecorded) return;
  const seconds = Object.fromEntries(stages.map((each) => [each.name, each.seconds]));
  writeFileSync(file, `${JSON.stringify(seconds, null, 2)}\n`);
}

export function stageLines(stages, recorded) {
  return stages.map(({ name, seconds }) => {
    const usual = recorded[name];
    const isSlow = usual !== undefined && seconds > usual * 1.2 && seconds - usual >= 5;
    const longer = isSlow
      ? `, ${Math.round((seconds / usual - 1) * 100)} % longer than the recorded ${usual}`
      : '';
    return `${name.padEnd(34)}${String(seconds).padStart(5)}${longer}`;
  });
}
