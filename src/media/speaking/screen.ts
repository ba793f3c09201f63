import type { VoiceLeg } from '../leg.ts';
import type { HostClocks } from './now.ts';

/** What the person's own screen is shown while it happens (contract 6.7); a telephone has none. */
export class Screen {
  readonly #leg: VoiceLeg;
  readonly #clocks: HostClocks;
  #place: { turn: number; nodeId: string; nodeName: string } | null = null;

  constructor(leg: VoiceLeg, clocks: HostClocks) {
    this.#leg = leg;
    this.#clocks = clocks;
  }

  /** Where the conversation is from now on; told when it is another node. */
  enter({ turn, nodeId, nodeName, allowInterrupt }: { turn: number; nodeId: string; nodeName: string; allowInterrupt: boolean }): void {
    const before = this.#place;
    this.#place = { turn, nodeId, nodeName };
    if (before?.nodeId === nodeId) return;
    this.show('rtf-node-transition', { node_id: nodeId, node_name: nodeName, previous_node_id: before?.nodeId ?? null, previous_node_name: before?.nodeName ?? null, allow_interrupt: allowInterrupt });
  }

  show(type: string, payload: Record<string, unknown> = {}): void {
    const place = this.#place;
    this.#leg.show({ type, payload, timestamp: this.#clocks.clock.now().toISOString(), turn: place?.turn ?? 0, ...(place === null ? {} : { node_id: place.nodeId, node_name: place.nodeName }) });
  }
}
