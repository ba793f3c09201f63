import type { Removals } from '../removals.ts';

/** The command-line client and the clients that others publish. */
export const clients: Removals = {
  'src/cli/agent-files/stable-json.ts': [['.toSorted(byRank)', '']],
  'src/cli/agent-files/parse.ts': [[".replace(/\\n$/, '')", '']],
  'src/cli/commands/agents-push.ts': [
    ["if (standing !== 'changed_here' && !isForced) throw changedThere(folder, server);", ''],
    [
      'const isOpen = error instanceof UnreachableError || isPreconditionFailed(error);',
      'const isOpen = false;',
    ],
  ],
  'src/cli/remote/client.ts': [["...(ifMatch === undefined ? {} : { 'if-match': ifMatch })", '']],
  'src/cli/commands/agent-standing.ts': [["if (isSame(content, server.content)) return 'same';", '']],
  'src/cli/agent-files/folder.ts': [['await unlessMissing(realpath(path), null)', 'path']],
  'src/cli/profile/choose-profile.ts': [
    ['profile?.url === url ? profile.apiKey : undefined', 'profile?.apiKey'],
  ],
  'src/cli/main.ts': [['#!/usr/bin/env node\n', '']],
  'src/domain/graph/catalog/node-specs.ts': [
    ['field.item === undefined ? null : toProperties(text.item ?? {}, field.item)', 'null'],
  ],
};
