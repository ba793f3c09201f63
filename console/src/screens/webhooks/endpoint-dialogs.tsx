import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookEndpoint, WebhookEndpointTest } from '../../../../src/contract/webhook-endpoints.ts';
import { call } from '../../app/api.ts';
import { ago, seconds } from '../../app/format.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { SeverityIcon } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Select } from '../../parts/select.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { nodeOf } from './endpoints.tsx';
import { RequestText, refreshDeliveries, refreshEndpoints } from './shared.tsx';

/** Sends a test request; an endpoint that is off can be turned on from here. */
export function TestDialog({
  of,
  onTurnedOn,
  onClose,
}: {
  of: WebhookEndpoint;
  onTurnedOn: () => void;
  onClose: () => void;
}) {
  const test = useAction();
  const turnOn = useAction();
  const [result, setResult] = useState<WebhookEndpointTest | null>(null);
  const isOff = of.state === 'off';
  const params = { endpoint_id: of.id };
  const send = () =>
    test.run(async () => {
      setResult((await call('post', '/webhook-endpoints/{endpoint_id}/test', { params })).body);
    });
  const turn = () =>
    turnOn.run(async () => {
      const { body } = await call('post', '/webhook-endpoints/{endpoint_id}/turn-on', { params });
      onTurnedOn();
      await refreshEndpoints();
      await refreshDeliveries();
      toast(t('webhooks.queued', { n: body.queued }));
      onClose();
    });
  return (
    <Dialog
      title={t(isOff ? 'webhooks.turnOnTitle' : 'webhooks.testTitle', { address: of.address })}
      isOpen
      onClose={onClose}
      size="lg"
      footer={
        <>
          <Button onPress={onClose}>{t('common.close')}</Button>
          <Button kind={isOff ? 'plain' : 'primary'} isDisabled={test.isBusy} onPress={send}>
            {t(
              test.isBusy ? 'webhooks.testing' : result === null ? 'webhooks.sendTest' : 'webhooks.testAgain',
            )}
          </Button>
          {isOff && (
            <Button kind="primary" isDisabled={turnOn.isBusy} onPress={turn}>
              {t('webhooks.turnOnN', { n: of.waiting })}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4">
        <p>{t(isOff ? 'webhooks.turnOnWhy' : 'webhooks.testWhy', { n: of.waiting, node: nodeOf(of) })}</p>
        <Refusal error={test.error ?? turnOn.error} />
        <div role="status">{result !== null && <Result of={result} />}</div>
        {result !== null && <RequestText of={result} body={result.request_body} />}
      </div>
    </Dialog>
  );
}

function Result({
  of: { status, status_code: code, duration_ms: ms, error, answer },
}: {
  of: WebhookEndpointTest;
}) {
  return (
    <div className="grid gap-2">
      <p className="flex items-center gap-2">
        <SeverityIcon is={status === 'success' ? 'ok' : 'bad'} />
        <span className="text-ink font-medium">
          {code === null
            ? t('webhooks.testNoAnswer', { why: error ?? '' })
            : t('webhooks.testAnswered', { code, duration: seconds(ms) })}
        </span>
      </p>
      {answer !== null && answer !== '' && (
        <pre className="code is-block" tabIndex={0} aria-label={t('webhooks.answer')}>
          {answer}
        </pre>
      )}
    </div>
  );
}

/** What the node would send for a past call of its agent. */
export function PreviewDialog({ of, onClose }: { of: WebhookEndpoint; onClose: () => void }) {
  const runs = useQuery(
    get('/workflow/{workflow_id}/runs', { params: { workflow_id: of.workflow_id }, query: { limit: 20 } }),
  );
  const [chosen, setChosen] = useState<number | null>(null);
  const listed = runs.data?.runs ?? [];
  const run = chosen ?? listed[0]?.id;
  return (
    <Dialog
      title={t('webhooks.previewTitle')}
      isOpen
      onClose={onClose}
      size="lg"
      footer={<Button onPress={onClose}>{t('common.close')}</Button>}
    >
      <div className="grid gap-4">
        <p className="text-muted">{t('webhooks.previewWhy', { node: nodeOf(of) })}</p>
        <Loaded query={runs} rows={2}>
          {() =>
            run === undefined ? (
              <p>{t('webhooks.previewNone')}</p>
            ) : (
              <>
                <Select
                  label={t('webhooks.call')}
                  value={String(run)}
                  onChange={(value) => setChosen(Number(value))}
                  options={listed.map(({ id, created_at: at }) => ({
                    value: String(id),
                    label: `#${id} · ${ago(new Date(at))}`,
                  }))}
                />
                <Preview endpointId={of.id} runId={run} />
              </>
            )
          }
        </Loaded>
      </div>
    </Dialog>
  );
}

function Preview({ endpointId, runId }: { endpointId: string; runId: number }) {
  const query = useQuery(
    get('/webhook-endpoints/{endpoint_id}/preview', {
      params: { endpoint_id: endpointId },
      query: { run_id: runId },
    }),
  );
  if (query.isError) return <Refusal error={query.error} />;
  return <Loaded query={query}>{(preview) => <RequestText of={preview} body={preview.body} />}</Loaded>;
}
