import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { type Checkpoint, initialCheckpoint, isLive, rewindTo } from '../../../src/domain/call/checkpoint.ts';
import { endExtractions } from '../../../src/domain/call/ending.ts';
import {
  beginTurn,
  finishTurn,
  maxMovesPerTurn,
  maxToolRoundsPerTurn,
  nextStep,
  recordStep,
  type Turn,
  type TurnResult,
} from '../../../src/domain/call/turn.ts';
import { InvariantError } from '../../../src/domain/errors.ts';
import type { Plan, PlanNode } from '../../../src/domain/graph/plan.ts';

function node(
  id: string,
  kind: PlanNode['kind'],
  targets: string[],
  { extraction = true, name = id.toUpperCase() } = {},
): PlanNode {
  return {
    id,
    kind,
    name,
    extraction,
    edges: targets.map((target) => ({ id: `${id}-${target}`, functionName: target, target })),
  };
}

const plan: Plan = {
  startNodeId: 'start',
  nodes: [
    node('start', 'startCall', ['ask']),
    node('ask', 'agentNode', ['ask', 'pay', 'end']),
    node('pay', 'agentNode', ['ask', 'end']),
    node('end', 'endCall', []),
  ],
  webhookNodeIds: [],
};

/** A turn whose steps each add one line; null = the model stays at the node. */
function play(checkpoint: Checkpoint, choices: (string | null)[], used: Plan = plan): TurnResult {
  let turn: Turn = beginTurn({
    plan: used,
    checkpoint,
    start: { kind: checkpoint.nodeId === null ? 'opening' : 'utterance' },
  });
  for (const chosenEdge of choices) turn = recordStep(used, turn, { addedLines: 1, chosenEdge });
  return finishTurn(used, turn);
}

const places = ({ extractions }: TurnResult) =>
  extractions.map(({ nodeId, visitIndex, point, throughTurnIndex, throughLine }) => [
    nodeId,
    visitIndex,
    point,
    throughTurnIndex,
    throughLine,
  ]);
const opened = play(initialCheckpoint, [null]).checkpoint;

describe('a turn', () => {
  test('the opening enters the start node', () => {
    const turn = beginTurn({ plan, checkpoint: initialCheckpoint, start: { kind: 'opening' } });
    expect(nextStep(plan, turn)).toEqual({
      branch: 0,
      turnIndex: 0,
      visitIndex: 0,
      nodeId: 'start',
      entry: { kind: 'opening' },
      mayMove: true,
      mayUseTools: true,
    });
    expect(opened).toEqual({
      ...initialCheckpoint,
      nodeId: 'start',
      visitIndex: 0,
      turnIndex: 0,
      nodesVisited: ['START'],
      revision: 1,
    });
  });

  test('an utterance is answered at the current node, within the same visit', () => {
    const { checkpoint, end } = play(opened, [null]);
    expect(checkpoint).toEqual({ ...opened, turnIndex: 1, revision: 2 });
    expect(end).toBeNull();
  });

  test('a chosen edge leads to a step at its target', () => {
    const begun = beginTurn({ plan, checkpoint: opened, start: { kind: 'utterance' } });
    const moved = recordStep(plan, begun, { addedLines: 0, chosenEdge: 'start-ask' });
    expect(nextStep(plan, moved)).toEqual({
      branch: 0,
      turnIndex: 1,
      visitIndex: 1,
      nodeId: 'ask',
      entry: { kind: 'edge', edgeId: 'start-ask' },
      mayMove: true,
      mayUseTools: true,
    });
    expect(moved.isOver).toBe(false);
  });

  test('the model is asked again at a node with the results of its tools, at most five times', () => {
    let turn = beginTurn({ plan, checkpoint: opened, start: { kind: 'utterance' } });
    for (let round = 1; round <= maxToolRoundsPerTurn; round += 1) {
      turn = recordStep(plan, turn, { addedLines: 0, chosenEdge: null, tools: 'used' });
      expect(turn.isOver).toBe(false);
      expect(nextStep(plan, turn)).toMatchObject({
        nodeId: 'start',
        entry: { kind: 'tools' },
        mayUseTools: round < maxToolRoundsPerTurn,
      });
    }
    expect(finishTurn(plan, recordStep(plan, turn, { addedLines: 1, chosenEdge: null }))).toMatchObject({
      checkpoint: { nodeId: 'start', turnIndex: 1 },
      end: null,
    });
  });

  test('an edge that was chosen together with a tool is followed after the tool', () => {
    const moved = recordStep(plan, beginTurn({ plan, checkpoint: opened, start: { kind: 'utterance' } }), {
      addedLines: 0,
      chosenEdge: 'start-ask',
      tools: 'used',
    });
    expect(nextStep(plan, moved)).toMatchObject({
      nodeId: 'ask',
      entry: { kind: 'edge', edgeId: 'start-ask' },
    });
  });

  test('a tool that ends the conversation takes precedence over an edge, which is not followed', () => {
    const ended = recordStep(plan, beginTurn({ plan, checkpoint: opened, start: { kind: 'utterance' } }), {
      addedLines: 1,
      chosenEdge: 'start-ask',
      tools: 'ended',
    });
    expect(finishTurn(plan, ended)).toMatchObject({
      checkpoint: { nodeId: 'start' },
      extractions: [],
      end: { reason: 'end_call_tool' },
    });
  });

  test('nodes visited are names in order of first entry, without repeats', () => {
    const { checkpoint } = play(opened, ['start-ask', 'ask-pay', 'pay-ask', 'ask-ask', null]);
    expect(checkpoint).toMatchObject({ nodeId: 'ask', visitIndex: 4, nodesVisited: ['START', 'ASK', 'PAY'] });
  });

  test('two nodes with the same name are listed once', () => {
    const twins: Plan = {
      startNodeId: 'a',
      nodes: [node('a', 'startCall', ['b'], { name: 'X' }), node('b', 'agentNode', [], { name: 'X' })],
      webhookNodeIds: [],
    };
    expect(play(initialCheckpoint, ['a-b', null], twins).checkpoint.nodesVisited).toEqual(['X']);
  });

  test('the model is offered no edges after ten moves', () => {
    let turn = recordStep(plan, beginTurn({ plan, checkpoint: opened, start: { kind: 'utterance' } }), {
      addedLines: 0,
      chosenEdge: 'start-ask',
    });
    for (let moves = 1; moves < maxMovesPerTurn; moves += 1) {
      expect(nextStep(plan, turn).mayMove).toBe(true);
      turn = recordStep(plan, turn, { addedLines: 0, chosenEdge: 'ask-ask' });
    }
    expect(nextStep(plan, turn).mayMove).toBe(false);
    expect(() => recordStep(plan, turn, { addedLines: 0, chosenEdge: 'ask-ask' })).toThrow(InvariantError);
  });

  test('an end node offers no edges and ends the conversation as user_qualified', () => {
    const begun = beginTurn({ plan, checkpoint: { ...opened, nodeId: 'ask' }, start: { kind: 'utterance' } });
    expect(nextStep(plan, recordStep(plan, begun, { addedLines: 0, chosenEdge: 'ask-end' })).mayMove).toBe(
      false,
    );
    expect(play({ ...opened, nodeId: 'ask' }, ['ask-end', null]).end).toEqual({ reason: 'user_qualified' });
  });

  test('a node without edges offers none', () => {
    const lone: Plan = { startNodeId: 'a', nodes: [node('a', 'startCall', [])], webhookNodeIds: [] };
    expect(
      nextStep(lone, beginTurn({ plan: lone, checkpoint: initialCheckpoint, start: { kind: 'opening' } }))
        .mayMove,
    ).toBe(false);
  });

  test('refuses an edge of another node, a second opening, an utterance before the opening, and an unfinished turn', () => {
    const begun = beginTurn({ plan, checkpoint: opened, start: { kind: 'utterance' } });
    expect(() => recordStep(plan, begun, { addedLines: 0, chosenEdge: 'ask-pay' })).toThrow(InvariantError);
    expect(() => beginTurn({ plan, checkpoint: opened, start: { kind: 'opening' } })).toThrow(InvariantError);
    expect(() => beginTurn({ plan, checkpoint: initialCheckpoint, start: { kind: 'utterance' } })).toThrow(
      InvariantError,
    );
    expect(() => finishTurn(plan, begun)).toThrow(InvariantError);
  });

  test('the checkpoint is never changed in place', () => {
    const before = JSON.stringify(opened);
    play(opened, ['start-ask', 'ask-end', null]);
    expect(JSON.stringify(opened)).toBe(before);
  });

  test('nodes may be called __proto__ and constructor', () => {
    const odd: Plan = {
      startNodeId: '__proto__',
      nodes: [node('__proto__', 'startCall', ['constructor']), node('constructor', 'endCall', [])],
      webhookNodeIds: [],
    };
    const carried: Plan = JSON.parse(JSON.stringify(odd));
    expect(play(initialCheckpoint, ['__proto__-constructor', null], carried)).toMatchObject({
      checkpoint: { nodeId: 'constructor' },
      end: { reason: 'user_qualified' },
    });
  });
});

describe('when something is extracted (contract 8.2)', () => {
  test('conversation reaches the node: on entry, over the transcript so far; leaving the node: once more', () => {
    expect(places(play(opened, ['start-ask', null]))).toEqual([
      ['start', 0, 'leave', 1, 2],
      ['ask', 1, 'entry', 1, 2],
    ]);
  });

  test('nodes that one turn passes through are extracted, too', () => {
    expect(places(play(opened, ['start-ask', 'ask-pay', null]))).toEqual([
      ['start', 0, 'leave', 1, 2],
      ['ask', 1, 'entry', 1, 2],
      ['ask', 1, 'leave', 1, 3],
      ['pay', 2, 'entry', 1, 3],
    ]);
  });

  test('End Call node: at the end, including the goodbye', () => {
    expect(places(play({ ...opened, nodeId: 'ask' }, ['ask-end', null]))).toEqual([
      ['ask', 0, 'leave', 1, 2],
      ['end', 1, 'end', 1, 3],
    ]);
  });

  test('a turn that stays at its node and the opening request no extraction', () => {
    expect(play(opened, [null]).extractions).toEqual([]);
    expect(play(initialCheckpoint, [null]).extractions).toEqual([]);
  });

  test('nodes without extraction are left out', () => {
    const silent: Plan = {
      ...plan,
      nodes: plan.nodes.map((each) => ({ ...each, extraction: each.id === 'pay' })),
    };
    expect(places(play(opened, ['start-ask', 'ask-pay', null], silent))).toEqual([['pay', 2, 'entry', 1, 3]]);
  });

  test('end of call: the current node, over the whole transcript', () => {
    expect(endExtractions({ plan, checkpoint: opened, reason: 'user_hangup', lineCount: 4 })).toEqual([
      { nodeId: 'start', visitIndex: 0, point: 'end', throughTurnIndex: 0, throughLine: 4, branch: 0 },
    ]);
  });

  test.each(['voicemail_detected', 'pipeline_error'] as const)('%s: skipped', (reason) => {
    expect(endExtractions({ plan, checkpoint: opened, reason, lineCount: 4 })).toEqual([]);
  });

  test('a call that ends before its opening has no extraction', () => {
    expect(
      endExtractions({ plan, checkpoint: initialCheckpoint, reason: 'user_hangup', lineCount: 0 }),
    ).toEqual([]);
  });

  test('requests contain their branch', () => {
    const rewound = rewindTo({ current: opened, target: opened });
    expect(play(rewound, ['start-ask', null]).extractions.map(({ branch }) => branch)).toEqual([1, 1]);
  });
});

describe('rewinding', () => {
  const second = play(opened, ['start-ask', null]).checkpoint;
  const third = play(second, ['ask-pay', null]).checkpoint;

  test('returns to an earlier turn on a higher branch, and the revision still grows', () => {
    expect(rewindTo({ current: third, target: opened })).toEqual({
      ...opened,
      revision: 4,
      branch: 1,
      lineage: [
        { branch: 0, fromTurnIndex: 0 },
        { branch: 1, fromTurnIndex: 1 },
      ],
    });
  });

  test('an earlier rewind target removes the branches after it', () => {
    const branched = play(rewindTo({ current: third, target: second }), [null]).checkpoint;
    expect(rewindTo({ current: branched, target: opened }).lineage).toEqual([
      { branch: 0, fromTurnIndex: 0 },
      { branch: 2, fromTurnIndex: 1 },
    ]);
  });

  test('the conversation opens again after a rewind to before the first turn', () => {
    const rewound = rewindTo({ current: third, target: null });
    expect(play(rewound, [null]).checkpoint).toMatchObject({
      nodeId: 'start',
      turnIndex: 0,
      visitIndex: 0,
      nodesVisited: ['START'],
      branch: 1,
      revision: 5,
    });
  });

  test('a discarded branch stays discarded, and every turn index has exactly one live branch', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.nat(6), { nil: -1 }), { maxLength: 12 }), (moves) => {
        let current = opened;
        const history = new Map<number, Checkpoint>([[0, opened]]);
        for (const move of moves) {
          const target = history.get(Math.min(move, current.turnIndex));
          const before = current.branch;
          current =
            move < 0 || current.nodeId === null
              ? play(current, [null]).checkpoint
              : rewindTo({ current, target: target ?? null });
          expect(current.branch).toBeGreaterThanOrEqual(before);
          history.set(current.turnIndex, current);
          for (let index = 0; index <= current.turnIndex; index += 1) {
            const live = Array.from({ length: current.branch + 1 }, (_, branch) =>
              isLive(current, { branch, throughTurnIndex: index }),
            );
            expect(live.filter(Boolean)).toHaveLength(1);
          }
        }
      }),
    );
  });
});
