import { TriangleAlert } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { ApiError } from '../app/api.ts';
import { t } from '../app/words.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

/** What a failed action says. */
export const wordsOfError = (error: unknown): string =>
  error instanceof ApiError ? error.message : t('common.unexpected');

/**
 * What a press begins: busy while it goes on, with the words of its failure. `of`: what the press is about, for example
 * the row of its button. A second press about the same is ignored meanwhile; one about something else waits its turn.
 */
export function useAction() {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const last = useRef(Promise.resolve());
  const going = useRef(new Set<unknown>());
  const run = (work: () => Promise<void>, of?: unknown) => {
    if (going.current.has(of)) return;
    going.current.add(of);
    setBusy(true);
    setError(null);
    const before = last.current;
    const go = async () => {
      await before;
      try {
        await work();
      } catch (failure) {
        setError(failure);
      }
      going.current.delete(of);
      setBusy(going.current.size > 0);
    };
    last.current = go();
  };
  return { run, error, isBusy };
}

/** Why an action failed. Nothing while it did not. */
export function Refusal({ error }: { error: unknown }) {
  if (error === null) return null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div role="alert" className="refusal">
      <TriangleAlert className="text-bad mt-0.5 shrink-0" aria-hidden size={14} strokeWidth={1.5} />
      <p className="whitespace-pre-line">
        {wordsOfError(error)}
        {requestId !== null && <span className="text-12 mono block opacity-90">{requestId}</span>}
      </p>
    </div>
  );
}

/** Asks before something that cannot be taken back. The button says what happens. */
export function Confirm({
  title,
  button,
  children,
  isDanger = true,
  isBlocked = false,
  onConfirm,
  onClose,
}: {
  title: string;
  button: string;
  children: ReactNode;
  isDanger?: boolean;
  /** It cannot be confirmed yet. */
  isBlocked?: boolean;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const { run, error, isBusy } = useAction();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button
            kind={isDanger ? 'danger' : 'primary'}
            sends
            isDisabled={isBusy || isBlocked}
            onPress={() =>
              run(async () => {
                await onConfirm();
                onClose();
              })
            }
          >
            {button}
          </Button>
        </>
      }
    >
      <div className="grid gap-3">
        <div>{children}</div>
        <Refusal error={error} />
      </div>
    </Dialog>
  );
}
