import { useQuery } from '@tanstack/react-query';
import { ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { nowDate, nowMs } from '../../app/clock.ts';
import { ago } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { cx } from '../../parts/cx.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { readHeaders, verify, type Verdict } from './verify.ts';

/** Says whether a request that a receiver got is one of this organization's webhooks. Nothing leaves the browser. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const secrets = useQuery(get('/organizations/webhook-secrets', {}));
  const [headers, setHeaders] = useState('');
  const [body, setBody] = useState('');
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const { run, error, isBusy } = useAction();
  const known = secrets.data?.map(({ secret }) => secret) ?? [];
  const check = () =>
    run(async () =>
      setVerdict(await verify({ headers: readHeaders(headers), body, secrets: known, now: nowDate() })),
    );
  return (
    <Dialog
      title={t('webhooks.verify')}
      isOpen
      onClose={onClose}
      size="lg"
      footer={
        <>
          <Button onPress={onClose}>{t('common.close')}</Button>
          <Button
            kind="primary"
            isDisabled={isBusy || secrets.data === undefined || headers.trim() === ''}
            onPress={check}
          >
            {t('webhooks.verifyCheck')}
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p className="text-muted">{t('webhooks.verifyWhy')}</p>
        <TextField
          label={t('webhooks.verifyHeaders')}
          value={headers}
          onChange={(value) => {
            setHeaders(value);
            setVerdict(null);
          }}
          lines={5}
          isCode
          hasFocus
          placeholder={'webhook-id: …\nwebhook-timestamp: …\nwebhook-signature: v1,…'}
        />
        <TextField
          label={t('webhooks.verifyBody')}
          hint={t('webhooks.verifyBodyHint')}
          value={body}
          onChange={(value) => {
            setBody(value);
            setVerdict(null);
          }}
          lines={6}
          isCode
        />
        <div role="status">{verdict !== null && <Shown verdict={verdict} end={endOf(verdict, known)} />}</div>
        <Refusal error={error ?? secrets.error} />
      </div>
    </Dialog>
  );
}

const endOf = (verdict: Verdict, secrets: readonly string[]): string =>
  verdict.kind === 'genuine' ? (secrets[verdict.secret]?.slice(-4) ?? '') : '';

function Shown({ verdict, end }: { verdict: Verdict; end: string }) {
  const isGood = verdict.kind === 'genuine';
  const Icon = isGood ? ShieldCheck : ShieldAlert;
  return (
    <div className={cx('verdict', isGood ? 'is-ok' : 'is-bad')}>
      <Icon className="i mt-0.5" aria-hidden size={16} strokeWidth={1.5} />
      <div>
        <p className="font-medium">{t(`webhooks.verdict.${verdict.kind}`, { end })}</p>
        <p>{whyOf(verdict)}</p>
      </div>
    </div>
  );
}

function whyOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'genuine':
      return t(verdict.isTooOld ? 'webhooks.verdictOld' : 'webhooks.verdictFresh', {
        ago: ago(new Date(nowMs() - verdict.secondsOff * 1000)),
      });
    case 'incomplete':
      return t('webhooks.verdictMissing', { names: verdict.missing.join(', ') });
    case 'insecure':
      return t('webhooks.verdictInsecure');
    case 'bad-timestamp':
      return t('webhooks.verdictTimestamp');
    case 'no-match':
      return t('webhooks.verdictNoMatch', { n: verdict.signatures });
  }
}
