import { shownArguments, type ToolCallRequest } from '../../domain/call/tool-call.ts';
import type { ToolCallRecord } from '../../domain/call/tool-round.ts';
import type { VoiceLeg } from '../leg.ts';
import type { HostClocks } from './now.ts';

/** Sends events to the person's screen (contract 6.7). A phone has none. */
export class Screen {
  readonly #leg: VoiceLeg;
  readonly #clocks: HostClocks;
  #place: { turn: number; nodeId: string; nodeName: string } | null = null;

  constructor(leg: VoiceLeg, clocks: HostClocks) {
    this.#leg = leg;
    this.#clocks = clocks;
  }

  /** Enters a node; shows a transition if it is another node. */
  enter({
    turn,
    nodeId,
    nodeName,
    allowInterrupt,
  }: {
    turn: number;
    nodeId: string;
    nodeName: string;
    allowInterrupt: boolean;
  }): void {
    const before = this.#place;
    this.#place = { turn, nodeId, nodeName };
    if (before?.nodeId === nodeId) return;
    this.show('rtf-node-transition', {
      node_id: nodeId,
      node_name: nodeName,
      previous_node_id: before?.nodeId ?? null,
      previous_node_name: before?.nodeName ?? null,
      allow_interrupt: allowInterrupt,
    });
  }

  /**
   * Shows the first tool. The Workflow runs the tools of a step one after the other, so each later tool
   * begins when the one before it ends.
   */
  toolsBegin([first]: readonly ToolCallRequest[]): void {
    if (first !== undefined) this.#toolBegins(first);
  }

  /**
   * Shows the results, which arrive with the next step. The result of a tool that ended the call is never
   * shown.
   */
  toolsEnded(calls: readonly ToolCallRecord[]): void {
    for (const [index, call] of calls.entries()) {
      if (index > 0) this.#toolBegins(call, call.startedAt);
      this.show(
        'rtf-function-call-end',
        { function_name: call.name, tool_call_id: call.id, result: call.result },
        call.endedAt,
      );
    }
  }

  #toolBegins(
    { id, name, argumentsText }: Pick<ToolCallRecord, 'id' | 'name' | 'argumentsText'>,
    at?: string,
  ): void {
    this.show(
      'rtf-function-call-start',
      { function_name: name, tool_call_id: id, arguments: shownArguments(argumentsText) },
      at,
    );
  }

  /** `at` is ISO 8601; the default is now. */
  show(
    type: string,
    payload: Record<string, unknown> = {},
    at = this.#clocks.clock.now().toISOString(),
  ): void {
    const place = this.#place;
    this.#leg.show({
      type,
      payload,
      timestamp: at,
      turn: place?.turn ?? 0,
      ...(place === null ? {} : { node_id: place.nodeId, node_name: place.nodeName }),
    });
  }
}
