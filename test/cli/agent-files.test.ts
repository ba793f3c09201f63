import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readAgentFolder, writeAgentFolder } from '../../src/cli/agent-files/folder.ts';
import { parseAgent } from '../../src/cli/agent-files/parse.ts';
import { agentFile, renderAgent } from '../../src/cli/agent-files/render.ts';
import { digestOf } from '../../src/cli/agent-files/stable-json.ts';
import type { AgentContent } from '../../src/cli/remote/agents.ts';

const json = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(fc.string(), json, { maxKeys: 4 });
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '\n', 'a\r\nb', '\u{FEFF}bom', 'ends\n\n', '\ud800', ' '),
);
const promptValue = fc.oneof(
  text,
  json,
  fc.constantFrom<unknown>({ $file: 'prompts/ask.md' }, { $value: { $file: 'x' } }),
);
const node = fc.record({
  id: fc.oneof(fc.string(), fc.integer()),
  type: fc.string(),
  position: object,
  data: fc.oneof(
    json,
    fc.record({
      name: fc.oneof(fc.constantFrom('Ask', 'ask!', 'Ask-n1', '…', ''), text),
      prompt: promptValue,
      extraction_prompt: promptValue,
      other: json,
    }),
  ),
});
const agent: fc.Arbitrary<AgentContent> = fc.record({
  name: fc.string(),
  settings: object,
  testValues: object,
  definition: fc.oneof(
    object,
    fc.record({ nodes: fc.array(fc.oneof(node, json), { maxLength: 5 }), edges: json, extra: json }),
  ),
});

/** The content as the wire transports it: -0 is 0, and objects are plain. */
const sent = (given: AgentContent): AgentContent => JSON.parse(JSON.stringify(given));

/** The same content with another order of keys, as a database may return it. */
const reversed = (content: AgentContent): AgentContent =>
  JSON.parse(JSON.stringify(content), (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toReversed())
      : value,
  );

describe('an agent as files', () => {
  // guarantee: agent-files-round-trip
  test('preserves any content, and gives the same bytes for any order of keys', () => {
    fc.assert(
      fc.property(agent, (given) => {
        const content = sent(given);
        fc.pre(!JSON.stringify(content).includes('"\\\\":')); // V8's JSON.parse confuses the keys " and \\ in objects of one shape
        const files = renderAgent(content);
        const onDisk = new Map(
          [...files].map(([name, each]) => [name, Buffer.from(each, 'utf8').toString('utf8')]),
        );
        expect(
          parseAgent(onDisk.get(agentFile) ?? '', {
            where: agentFile,
            read: (file) => onDisk.get(file) ?? null,
          }),
        ).toEqual(content);
        expect([...renderAgent(reversed(content))]).toEqual([...files]);
        expect(digestOf(reversed(content))).toBe(digestOf(content));
      }),
      { numRuns: 500 },
    );
  });

  test('has portable file names inside the folder', () => {
    fc.assert(
      fc.property(agent, (given) => {
        const names = [...renderAgent(sent(given)).keys()].filter((name) => name !== agentFile);
        expect(
          names.filter((name) => !/^prompts\/[a-z0-9][a-z0-9-]*(\.[a-z0-9-]+)?\.md$/.test(name)),
        ).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});

describe('a folder', () => {
  let path = '';
  beforeEach(async () => {
    path = await mkdtemp(join(tmpdir(), 'agent-folder-'));
  });
  afterEach(() => rm(path, { recursive: true, force: true }));
  const content = (nodes: unknown[]): AgentContent => ({
    name: 'Desk',
    settings: {},
    testValues: {},
    definition: { nodes, edges: [] },
  });
  const ask = (name: string, prompt: string) => ({ id: name, data: { name, prompt } });

  test('loses only prompts that the agent no longer has, not files of the user', async () => {
    await writeAgentFolder({ path, content: content([ask('One', '1'), ask('Two', '2')]), origins: {} });
    await writeFile(join(path, 'README.md'), 'ours');
    await writeFile(join(path, 'prompts', 'notes.md'), 'ours');
    await writeAgentFolder({ path, content: content([ask('Two', '2')]), origins: {} });
    expect((await readdir(path, { recursive: true })).toSorted()).toEqual([
      'README.md',
      'agent.json',
      'origin.json',
      'prompts',
      'prompts/notes.md',
      'prompts/two.md',
    ]);
  });

  test('with Windows line ends from git is the same agent', async () => {
    const agent = content([ask('One', 'a\nb\n')]);
    await writeAgentFolder({ path, content: agent, origins: {} });
    for (const name of ['agent.json', 'prompts/one.md'])
      await writeFile(join(path, name), (await readFile(join(path, name), 'utf8')).replaceAll('\n', '\r\n'));
    expect((await readAgentFolder(path)).content).toEqual(agent);
  });

  test('is refused if the file of a prompt is missing, with its node, key and name', async () => {
    await writeAgentFolder({ path, content: content([ask('One', '1')]), origins: {} });
    await rm(join(path, 'prompts', 'one.md'));
    await expect(readAgentFolder(path)).rejects.toThrow(
      'node One, prompt names prompts/one.md, which does not exist',
    );
  });
});
