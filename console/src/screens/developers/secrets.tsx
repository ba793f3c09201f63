import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, Plus } from 'lucide-react';
import { useState } from 'react';
import type { WebhookSecret } from '../../../../src/contract/webhook-secrets.ts';
import { call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Confirm, Refusal, useAction } from '../../parts/action.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
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
            <p className="text-muted max-w-[80ch]">
              {secrets.length < 2 ? t('developers.secretsWhy') : t('developers.secretsBoth')}
            </p>
            <Card
              title={t('developers.secrets')}
              aside={
                <Button icon={Plus} isDisabled={isBusy || secrets.length > 1} onPress={add}>
                  {t('developers.addSecret')}
                </Button>
              }
            >
              {secrets.map((secret) => (
                <Secret
                  key={secret.id}
                  secret={secret}
                  isOnly={secrets.length === 1}
                  onRetire={() => setRetired(secret)}
                />
              ))}
            </Card>
            <Refusal error={error} />
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

function Secret({
  secret: { secret, created_at: createdAt },
  isOnly,
  onRetire,
}: {
  secret: WebhookSecret;
  isOnly: boolean;
  onRetire: () => void;
}) {
  const [isShown, setShown] = useState(false);
  const shown = isShown ? secret : `whsec_••••••••${secret.slice(-4)}`;
  return (
    <div className="room-row">
      <span className="grow">
        <code className="mono text-ink">{shown}</code>
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
      <Button kind="danger" isDisabled={isOnly} onPress={onRetire}>
        {t('developers.retire')}
      </Button>
    </div>
  );
}
