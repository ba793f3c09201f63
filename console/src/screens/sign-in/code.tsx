import { useState } from 'react';
import { ApiError } from '../../app/api.ts';
import { t } from '../../app/words.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';

/**
 * The code of an account that demands one. Whether it does shows only once the password was right: then `asking`
 * resolves with nothing done, and the form asks for the code.
 */
export function useCode() {
  const [typed, setTyped] = useState<string | null>(null);
  const [isRecovery, setRecovery] = useState(false);
  const [isMissing, setMissing] = useState(false);
  const type = (code: string | null) => {
    setTyped(code);
    setMissing(false);
  };
  const asking = async (work: (given: { code?: string }) => Promise<void>): Promise<void> => {
    if (typed?.trim() === '') return setMissing(true);
    try {
      await work(typed === null ? {} : { code: typed });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'code_needed') throw error;
      type('');
    }
  };
  const turn = () => {
    setRecovery(!isRecovery);
    type('');
  };
  return { isAsked: typed !== null, typed: typed ?? '', type, isRecovery, turn, isMissing, asking };
}

type Code = ReturnType<typeof useCode>;

/** The code of the app, or a recovery code in its place. */
export function CodeField({ code: { typed, type, isRecovery, isMissing } }: { code: Code }) {
  const of = isRecovery ? 'recovery' : 'app';
  return (
    <TextField
      key={of}
      label={t(`code.${of}`)}
      hint={t(`code.${of}Hint`)}
      value={typed}
      onChange={type}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      {...(isRecovery ? {} : { inputMode: 'numeric' })}
      isCode
      hasFocus
      error={isMissing ? t('code.missing') : undefined}
    />
  );
}

/** The other code, and the way back to the password. */
export function CodeWays({ code: { isRecovery, turn, type } }: { code: Code }) {
  return (
    <div className="grid gap-1">
      <Button kind="ghost" onPress={turn}>
        {t(isRecovery ? 'code.toApp' : 'code.toRecovery')}
      </Button>
      <Button kind="ghost" onPress={() => type(null)}>
        {t('common.back')}
      </Button>
    </div>
  );
}
