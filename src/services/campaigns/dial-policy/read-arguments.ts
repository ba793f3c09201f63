import { parseArgs } from 'node:util';
import type { OperatorSwitchInput } from './operator-switch.ts';

export const usage = `npm run dialing:stop -- [--organization <id|uuid>] [--reason <text>]
npm run dialing:resume -- [--organization <id|uuid>]
  --organization  campaigns of this organization only; without it, of all organizations
  --reason        stored with a stop of all organizations, for people`;

/** Reads the command line. Answers a `fault` in words if it cannot. */
export function readArguments(args: readonly string[]): OperatorSwitchInput | { fault: string } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { organization: { type: 'string' }, reason: { type: 'string', default: '' } },
    });
    if (values.organization === '') return { fault: '--organization is empty' };
    return { organization: values.organization ?? null, reason: values.reason };
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'The command line cannot be read' };
  }
}
