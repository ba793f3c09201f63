import { type ComponentType, useEffect, useState } from 'react';
import { whenIdle } from './idle.ts';

/**
 * A component that the first picture of a page does not need. It loads when the browser has time, or at once when
 * it is drawn; until then it is nothing. After a failure it loads again when it is drawn again.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let Loaded: ComponentType<Props> | null = null;
  const begin = async (): Promise<void> => {
    Loaded ??= await load();
  };
  whenIdle(() => void begin().catch(() => undefined));
  return function Later(props: Props) {
    const [, setReady] = useState(Loaded !== null);
    useEffect(
      () =>
        void begin().then(
          () => setReady(true),
          () => undefined,
        ),
      [],
    );
    return Loaded === null ? null : <Loaded {...props} />;
  };
}
