import { planNode, type Plan } from '../../domain/graph/plan.ts';
import type { CallInput, CallStateAnswer } from './messages.ts';

/**
 * What Temporal UI shows of a call: ids, structure and counts, but no text of the conversation and no
 * personal data.
 */

/** One line for the list and the head of the page (400 bytes at most). */
export function staticSummary(input: CallInput): string {
  return `Call ${input.callId} · ${input.channel.kind} · agent ${input.agentUuid.slice(0, 8)} version ${input.versionNumber}${input.isTest ? ' · test' : ''}`;
}

/** What the call is pinned to, as Markdown. */
export function staticDetails(input: CallInput): string {
  const rows = [
    ['Call', `${input.callId} (${input.callUuid})`],
    ['Agent', input.agentUuid],
    [
      'Version',
      `${input.versionNumber}, row ${input.versionId}, sha256 ${input.definitionSha256.slice(0, 12)}`,
    ],
    ['Organization', input.organizationUuid],
    ['Started by', input.source],
    ...(input.campaign === undefined
      ? []
      : [
          [
            'Campaign',
            `${input.campaign.campaignUuid}, row ${input.campaign.rowNumber}, attempt ${input.campaign.attemptNumber}`,
          ],
        ]),
    ['Channel', channelName(input.channel)],
    ['Nodes', String(input.plan.nodes.length)],
  ];
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}

function channelName(channel: CallInput['channel']): string {
  if (channel.kind === 'text')
    return `text, ends after ${Math.round(channel.inactivityTimeoutMs / 1000)} s without a message`;
  return `${channel.kind}, ${channel.direction}, ends after ${Math.round(channel.maxDurationMs / 1000)} s`;
}

/** The current state of the call, as Markdown. */
export function currentDetails(answer: CallStateAnswer): string {
  const place = answer.nodeName === null ? '' : ` at **${answer.nodeName}**`;
  const end = answer.disposition === null ? '' : `, disposition \`${plain(answer.disposition)}\``;
  const pending =
    answer.pendingExtractions === 0 ? '' : `, ${answer.pendingExtractions} extractions under way`;
  return `**${answer.state}**${place}: ${answer.turnCount} turns, revision ${answer.revision}${pending}${end}`;
}

/** The name of a node for people, or its id if it has no name. */
export function nodeName(plan: Plan, nodeId: string): string {
  const name = plain(planNode(plan, nodeId)?.name ?? '');
  return name === '' ? plain(nodeId) : name;
}

/** The name of a turn for people; turn 0 is the agent's opening. */
export function turnName(turnIndex: number): string {
  return turnIndex === 0 ? 'Opening' : `Turn ${turnIndex}`;
}

/** Makes a node's name safe for a summary or Markdown: one short line without markup. */
export function plain(name: string): string {
  const line = name.replace(/[\s|`*_<>[\]\\]+/g, ' ').trim();
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}
