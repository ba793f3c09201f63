/**
 * Wraps a listener so that its failure stays with its connection. What a listener throws is uncaught in Node
 * and ends the process, with everyone's requests and calls. `onFault` gets what it throws or rejects with.
 */
export function guarded<Args extends unknown[]>(
  listener: (...args: Args) => unknown,
  onFault: (error: unknown, ...args: Args) => void,
): (...args: Args) => void {
  return (...args) => {
    try {
      const result = listener(...args);
      if (result instanceof Promise) result.catch((error: unknown) => onFault(error, ...args));
    } catch (error) {
      // guarantee: listener-fault-stays-with-its-connection
      onFault(error, ...args);
    }
  };
}
