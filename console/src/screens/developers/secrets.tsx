import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, Plus } from 'lucide-react';
import { useState } from 'react';
import type { WebhookSecret } from '../../../../src/contract/webhook-secrets.ts';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { Tag } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { cx } from '../../parts/cx.ts';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';

const path = '/organizations/webhook-secrets';
const refresh = async () => await queries.invalidateQueries({ queryKey: [path] });

/** The secrets that sign webhooks: one, or two while they are rotated. */
export function Secrets() {
  const query = useQuery(get(path, {}));
  const { run, error, isBusy } = useAction();
  const [retired, setRetired] = useState<WebhookSecret | null>(null);
  const add = () =>
    run(async () => {
      await call('post', path, {});
      await refresh();
      toast(t('developers.secretAdded'));
    });
  return (
    <div className="room">
      <Loaded query={query} rows={2}>
        {(secrets) => (
          <>
            <p className="text-muted max-w-[80ch]">{t('developers.secretsWhy')}</p>
            <Rotation secrets={secrets} isBusy={isBusy} onAdd={add} onRetire={setRetired} />
            <Refusal error={error} />
            <Card title={t('developers.secrets')}>
              {secrets.map((secret) => (
                <Secret
                  key={secret.id}
                  secret={secret}
                  age={secrets.length === 1 ? 'only' : secret === secrets[0] ? 'old' : 'new'}
                  onRetire={() => setRetired(secret)}
                />
              ))}
            </Card>
          </>
        )}
      </Loaded>
      {retired !== null && (
        <Confirm
          title={t('developers.retireTitle', { end: retired.secret.slice(-4) })}
          button={t('developers.retire')}
          onClose={() => setRetired(null)}
          onConfirm={async () => {
            await call('delete', '/organizations/webhook-secrets/{secret_id}', {
              params: { secret_id: retired.id },
            });
            await refresh();
            toast(t('developers.retired'));
          }}
        >
          {t('developers.retireWhy')}
        </Confirm>
      )}
    </div>
  );
}

/** The way from one secret to the next: two sign meanwhile. */
function Rotation({
  secrets: [old, fresh],
  isBusy,
  onAdd,
  onRetire,
}: {
  secrets: readonly WebhookSecret[];
  isBusy: boolean;
  onAdd: () => void;
  onRetire: (secret: WebhookSecret) => void;
}) {
  const steps = [
    {
      id: 'add',
      isNow: fresh === undefined,
      action: (
        <Button icon={Plus} needs="admin" isDisabled={isBusy || fresh !== undefined} onPress={onAdd}>
          {t('developers.addSecret')}
        </Button>
      ),
    },
    {
      id: 'give',
      isNow: fresh !== undefined,
      action: fresh !== undefined && (
        <CopyButton
          text={fresh.secret}
          label={t('developers.copyNewSecret', { end: fresh.secret.slice(-4) })}
        />
      ),
    },
    {
      id: 'retire',
      isNow: false,
      action: fresh !== undefined && old !== undefined && (
        <Button needs="admin" onPress={() => onRetire(old)}>
          {t('developers.retireOld', { end: old.secret.slice(-4) })}
        </Button>
      ),
    },
  ];
  return (
    <section className="grid gap-2" aria-label={t('developers.rotation')}>
      <h2 className="h2">{t('developers.rotation')}</h2>
      <ol className="levels">
        {steps.map(({ id, isNow, action }, index) => (
          <li
            key={id}
            className={cx('grid content-start gap-2', isNow && 'is-winner')}
            aria-current={isNow ? 'step' : undefined}
          >
            <p className="text-ink flex items-center gap-2 font-medium">
              <span className="text-hint">{index + 1}</span>
              {t(`developers.rotation.${id}`)}
            </p>
            <p className="text-12">{t(`developers.rotationWhy.${id}`)}</p>
            <div>{action}</div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Secret({
  secret: { secret, created_at: createdAt },
  age,
  onRetire,
}: {
  secret: WebhookSecret;
  age: 'only' | 'old' | 'new';
  onRetire: () => void;
}) {
  const [isShown, setShown] = useState(false);
  const shown = isShown ? secret : `whsec_••••••••${secret.slice(-4)}`;
  return (
    <div className="room-row">
      <span className="grow">
        <code className="mono text-ink">{shown}</code>
        {age !== 'only' && (
          <>
            {' '}
            <Tag is={age === 'old' ? 'machine' : 'ok'}>{t(`developers.secretAge.${age}`)}</Tag>
          </>
        )}
        <span className="text-hint text-12 block">
          {t('developers.since')} <When at={createdAt} />
        </span>
      </span>
      <IconButton
        icon={isShown ? EyeOff : Eye}
        label={isShown ? t('developers.hideSecret') : t('developers.showSecret')}
        onPress={() => setShown(!isShown)}
      />
      <CopyButton text={secret} name={t('developers.copySecret')} />
      <Button kind="danger" needs="admin" isDisabled={age === 'only'} onPress={onRetire}>
        {t('developers.retire')}
      </Button>
    </div>
  );
}
