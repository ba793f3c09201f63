import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import type { NewSecondFactor, RecoveryCodes } from '../../../../src/contract/users.ts';
import { call } from '../../app/api.ts';
import { later } from '../../app/later.tsx';
import { get, queries } from '../../app/query.ts';
import { saveText } from '../../app/save-file.ts';
import { t } from '../../app/words.ts';
import { State } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { FormDialog, FormFields, useForm } from '../../parts/form.tsx';
import { type Field, wordsOf } from '../../parts/form-values.ts';
import { Note } from '../../parts/note.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';

const QrPicture = later(async () => (await import('./qr-picture.tsx')).QrPicture);

/** With so few recovery codes left it is time for new ones. */
const few = 3;

const refresh = async (): Promise<void> => {
  await queries.invalidateQueries({ queryKey: ['/auth/second-factor'] });
  await queries.invalidateQueries({ queryKey: ['/auth/sessions'] });
};

const passwordField = (): Field => ({
  name: 'password',
  label: t('account.current'),
  kind: 'password',
  isRequired: true,
  autoComplete: 'current-password',
  hasFocus: true,
});

const codeField = (): Field => ({
  name: 'code',
  label: t('secondFactor.code'),
  kind: 'text',
  isRequired: true,
  isCode: true,
  autoComplete: 'one-time-code',
});

/** Whether the person signs in with one-time codes. */
export function SecondFactor() {
  const query = useQuery(get('/auth/second-factor', {}));
  const [turning, setTurning] = useState<'on' | 'off' | null>(null);
  const close = () => setTurning(null);
  const isOn = (query.data?.on_since ?? null) !== null;
  return (
    <Card
      title={t('secondFactor.title')}
      aside={isOn && <State is="published">{t('secondFactor.on')}</State>}
    >
      <Loaded query={query} rows={1}>
        {({ on_since: since, recovery_codes_left: left }) => (
          <div className="room-row">
            <span className="grow">
              {since === null ? (
                t('secondFactor.why')
              ) : (
                <>
                  <span className="text-ink">{t('secondFactor.left', { n: left })}</span>
                  <span className="text-hint text-12 block">
                    {t('secondFactor.since')} <When at={since} />
                    {left <= few && <span className="text-warn-text"> · {t('secondFactor.few')}</span>}
                  </span>
                </>
              )}
            </span>
            <Button
              kind={since === null ? 'plain' : 'danger'}
              onPress={() => setTurning(since === null ? 'on' : 'off')}
            >
              {t(since === null ? 'secondFactor.turnOn' : 'secondFactor.turnOff')}
            </Button>
          </div>
        )}
      </Loaded>
      {turning === 'on' && <TurnOn onClose={close} />}
      {turning === 'off' && <TurnOff onClose={close} />}
    </Card>
  );
}

/** The password, then the app with its first code, then the recovery codes. */
function TurnOn({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewSecondFactor | null>(null);
  const [confirmed, setConfirmed] = useState<RecoveryCodes | null>(null);
  if (confirmed !== null)
    return (
      <ShownCodes
        codes={confirmed.recovery_codes}
        onClose={() => {
          onClose();
          toast(t('secondFactor.turnedOn', { n: confirmed.ended }));
          void refresh();
        }}
      />
    );
  if (made !== null) return <App made={made} onConfirmed={setConfirmed} onClose={onClose} />;
  return (
    <FormDialog
      title={t('secondFactor.turnOnTitle')}
      saveLabel={t('secondFactor.continue')}
      isNew
      fields={[passwordField()]}
      initial={{ password: '' }}
      onClose={() => undefined}
      onDismiss={onClose}
      onSave={async (values) => {
        const body = { password: wordsOf(values, 'password') };
        setMade((await call('post', '/auth/second-factor', { body })).body);
      }}
    />
  );
}

function App({
  made: { secret, uri },
  onConfirmed,
  onClose,
}: {
  made: NewSecondFactor;
  onConfirmed: (codes: RecoveryCodes) => void;
  onClose: () => void;
}) {
  const form = useForm({
    fields: [{ ...codeField(), hint: t('secondFactor.codeHint'), inputMode: 'numeric', hasFocus: true }],
    initial: { code: '' },
    onSave: async (values) => {
      const body = { code: wordsOf(values, 'code') };
      onConfirmed((await call('post', '/auth/second-factor/confirm', { body })).body);
    },
  });
  return (
    <Dialog
      title={t('secondFactor.appTitle')}
      isOpen
      isModalOnly
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button type="submit" form={form.id} kind="primary" isDisabled={form.isBusy}>
            {t('secondFactor.confirm')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>{t('secondFactor.scan')}</p>
        <QrPicture text={uri} label={t('secondFactor.picture')} />
        <div className="grid gap-1">
          <p className="text-muted">
            {t('secondFactor.orType')}{' '}
            <a className="link" href={uri}>
              {t('secondFactor.openApp')}
            </a>
          </p>
          <div className="flex items-center gap-2">
            <code className="code is-block flex-1" data-testid="secret">
              {(secret.match(/.{4}/g) ?? []).join(' ')}
            </code>
            <CopyButton text={secret} name={t('secondFactor.copySecret')} />
          </div>
        </div>
        <FormFields form={form} />
      </div>
    </Dialog>
  );
}

/** The recovery codes, which are shown once. */
function ShownCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = codes.join('\n');
  return (
    <Dialog
      title={t('secondFactor.codesTitle')}
      isOpen
      isModalOnly
      onClose={onClose}
      footer={
        <Button kind="primary" onPress={onClose}>
          {t('secondFactor.saved')}
        </Button>
      }
    >
      <div className="grid gap-3">
        <p>{t('secondFactor.codesWhy')}</p>
        <code className="code is-block text-center" data-testid="recovery-codes">
          {text}
        </code>
        <div className="flex flex-wrap gap-1">
          <CopyButton text={text} label={t('common.copy')} />
          <Button
            kind="ghost"
            icon={Download}
            onPress={() => saveText(`${text}\n`, 'parlance-recovery-codes.txt')}
          >
            {t('secondFactor.download')}
          </Button>
        </div>
        <Note>{t('secondFactor.codesOnce')}</Note>
      </div>
    </Dialog>
  );
}

function TurnOff({ onClose }: { onClose: () => void }) {
  return (
    <FormDialog
      title={t('secondFactor.turnOffTitle')}
      saveLabel={t('secondFactor.turnOffDo')}
      isNew
      fields={[passwordField(), { ...codeField(), hint: t('secondFactor.anyCodeHint') }]}
      initial={{ password: '', code: '' }}
      onClose={onClose}
      onSave={async (values) => {
        const body = { password: wordsOf(values, 'password'), code: wordsOf(values, 'code') };
        await call('post', '/auth/second-factor/off', { body });
        await refresh();
        toast(t('secondFactor.turnedOff'));
      }}
    >
      {() => <p className="text-muted is-whole">{t('secondFactor.turnOffWhy')}</p>}
    </FormDialog>
  );
}
