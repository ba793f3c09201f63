import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { CallActivities } from '../../activities/call.ts';
import { timeoutsMs } from '../../domain/declaration.ts';
import { activitiesOf } from '../proxies.ts';
import { nodeName } from './details.ts';
import { rootOf } from './failures.ts';
import type { Line } from '../../domain/call/line.ts';
import type { CallInput } from './messages.ts';
import type { ExtractionRequest } from '../../domain/call/turn.ts';
import type { ExtractionsSoFar } from './state.ts';

/**
 * Runs extractions in parallel with the turns. A cancellation of the call does not cancel them: they continue
 * until the end of the call stops waiting. A failed extraction is a result with a reason and never fails the
 * call.
 */
export class Extractions {
  readonly #input: CallInput;
  readonly #done: ExtractionsSoFar;
  readonly #scopes = new Set<CancellationScope>();
  readonly #onChange: () => void;

  constructor({ input, done, onChange }: { input: CallInput; done: ExtractionsSoFar; onChange: () => void }) {
    this.#input = input;
    this.#done = { results: [...done.results], failed: [...done.failed] };
    this.#onChange = onChange;
  }

  get done(): ExtractionsSoFar {
    return { results: [...this.#done.results], failed: [...this.#done.failed] };
  }

  get pending(): number {
    return this.#scopes.size;
  }

  /** Starts extractions and returns at once. `pendingLines` are later lines that are not committed yet. */
  start(requests: readonly ExtractionRequest[], pendingLines: readonly Line[] = []): void {
    for (const request of requests)
      void CancellationScope.nonCancellable(() => this.#run(request, pendingLines));
    if (requests.length > 0) this.#onChange();
  }

  /** Waits for all extractions, up to the declared maximum, then cancels the rest. */
  async drain(): Promise<void> {
    if (this.pending === 0) return;
    const drained = await condition(() => this.pending === 0, timeoutsMs.extractionDrain, {
      summary: `Wait for ${this.pending} extractions`,
    });
    if (drained) return;
    for (const scope of this.#scopes) scope.cancel();
    await condition(() => this.pending === 0);
  }

  async #run(request: ExtractionRequest, pendingLines: readonly Line[]): Promise<void> {
    const scope = new CancellationScope({ cancellable: true });
    this.#scopes.add(scope);
    try {
      await scope.run(() => this.#extract(request, pendingLines));
    } finally {
      this.#scopes.delete(scope);
      this.#onChange();
    }
  }

  async #extract(request: ExtractionRequest, pendingLines: readonly Line[]): Promise<void> {
    const { callId, organizationId, versionId, plan } = this.#input;
    const { extract } = activitiesOf<CallActivities>(
      'extraction',
      `Extract on ${request.point} of ${nodeName(plan, request.nodeId)}`,
      { cancellationType: 'TRY_CANCEL' },
    );
    try {
      const found = await extract({
        callId,
        organizationId,
        versionId,
        request,
        ...(pendingLines.length === 0 ? {} : { pendingLines: [...pendingLines] }),
      });
      if ('values' in found) this.#done.results.push({ ...request, ...found });
      else this.#done.failed.push({ ...request, ...found });
    } catch (error) {
      this.#done.failed.push({
        ...request,
        failed: isCancellation(error) ? 'not finished in time' : rootOf(error).message,
        usage: null,
      });
    }
  }
}
