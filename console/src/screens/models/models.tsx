import '../../styles/rooms.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import type { WorkflowOverview } from '../../../../src/contract/agent-overviews.ts';
import type {
  ModelConfiguration,
  ModelConfigurationAnswer,
} from '../../../../src/contract/model-configurations.ts';
import { ApiError, call } from '../../app/api.ts';
import { get, queries } from '../../app/query.ts';
import { useMay } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { Refusal } from '../../parts/action.tsx';
import { Simulated, State } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { cx } from '../../parts/cx.ts';
import { FormFields, useForm } from '../../parts/form.tsx';
import { wordsOf } from '../../parts/form-values.ts';
import { Page } from '../../parts/page.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import {
  providerOf,
  type Settings,
  settingsOf,
  titleOf,
  vendorFields,
  type Vendors,
  vendorValues,
} from './vendor-fields.ts';
import { Prices } from './prices.tsx';
import { VoicePicker } from './voice-picker.tsx';

const path = '/organizations/model-configurations/v2';
const services = ['llm', 'tts', 'stt'] as const;
type Service = (typeof services)[number];

const overviewQuery = { status: 'active', limit: 500, sort_by: 'name', sort_order: 'asc' } as const;

/** Which models think, speak and listen, and with whose keys. */
export function ModelsPage() {
  const isManaging = useMay()('admin');
  const stored = useQuery(get(path, {}));
  const catalog = useQuery(get(`${path}/defaults`, {}));
  const { data: agents } = useQuery(get('/workflow/overview', { query: overviewQuery }));
  const overriding = (agents?.items ?? []).filter(({ own_models: own }) => own.length > 0);
  return (
    <Page title={t('frame.models')} isFlush needs={['admin']} actions={isManaging && <KeyCheckButton />}>
      <Loaded query={stored}>
        {(answer) => (
          <Loaded query={catalog}>
            {({ byok: { pipeline } }) => (
              <div className="room">
                <Levels source={answer.source} overriding={overriding} />
                <KeyCheck />
                <div className="cards-3">
                  {services.map((service) => (
                    <ServiceCard
                      key={`${service} ${JSON.stringify(answer.effective_configuration[service])}`}
                      service={service}
                      vendors={pipeline[service]}
                      answer={answer}
                    />
                  ))}
                </div>
                <Prices used={answer.effective_configuration.llm} />
              </div>
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}

/** Who wins, drawn: an agent over the organization over the installation. */
function Levels({
  source,
  overriding,
}: {
  source: ModelConfigurationAnswer['source'];
  overriding: readonly WorkflowOverview[];
}) {
  const winner = source === 'organization_v2' ? 'organization' : 'installation';
  return (
    <section aria-label={t('models.whoWins')}>
      <ol className="levels">
        {(['agent', 'organization', 'installation'] as const).map((level, index) => (
          <li key={level} className={cx(level === winner && 'is-winner')}>
            <p className="text-ink flex flex-wrap items-center gap-2 font-medium">
              <span className="text-hint">{index + 1}</span>
              {t(`models.level.${level}`)}
              {level === winner && <State is="published">{t('models.used')}</State>}
            </p>
            <p className="text-12 mt-1">
              {t(
                level === 'organization' && winner === 'installation'
                  ? 'models.levelWhy.nothing'
                  : `models.levelWhy.${level}`,
              )}
            </p>
            {level === 'agent' && <Overriding agents={overriding} />}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The agents that set their own models, and which. */
function Overriding({ agents }: { agents: readonly WorkflowOverview[] }) {
  if (agents.length === 0) return null;
  return (
    <ul className="text-12 mt-1 grid gap-0.5" aria-label={t('models.overriding')}>
      {agents.map(({ id, name, own_models: own }) => (
        <li key={id} className="flex flex-wrap gap-x-2">
          <Link className="link min-h-6" to="/agents/$agentId" params={{ agentId: String(id) }}>
            {name}
          </Link>
          <span className="text-hint">{own.map((service) => t(`models.service.${service}`)).join(', ')}</span>
        </li>
      ))}
    </ul>
  );
}

const checkPath = '/user/configurations/user/validate';

/** Asks the vendors whether they accept the keys. */
function useKeyCheck() {
  return useQuery({
    queryKey: [checkPath],
    queryFn: async ({ signal }) => await checkKeys(signal),
    enabled: false,
  });
}

interface Checked {
  isAccepted: boolean;
  services: readonly { model: string; message: string }[];
}

async function checkKeys(signal: AbortSignal): Promise<Checked> {
  try {
    const { body } = await call('get', checkPath, { query: { validity_ttl_seconds: 0 }, signal });
    return { isAccepted: true, services: body.status };
  } catch (error) {
    if (error instanceof ApiError && error.status === 422 && Array.isArray(error.detail))
      return { isAccepted: false, services: error.detail as Checked['services'] };
    throw error;
  }
}

function KeyCheckButton() {
  const { refetch, isFetching } = useKeyCheck();
  return (
    <Button icon={KeyRound} isDisabled={isFetching} onPress={() => void refetch()}>
      {isFetching ? t('models.checking') : t('models.check')}
    </Button>
  );
}

function KeyCheck() {
  const { data, error } = useKeyCheck();
  if (error !== null) return <Refusal error={error} />;
  if (data === undefined) return null;
  return (
    <div role="status" className="flex flex-wrap items-center gap-2">
      <State is={data.isAccepted ? 'published' : 'bad'}>
        {data.isAccepted ? t('models.accepted') : t('models.refused')}
      </State>
      {data.services.length === 0
        ? t('models.nothingToCheck')
        : data.services.map(({ model, message }) => (
            <span key={model} className="text-muted">
              {model}: {message}
            </span>
          ))}
    </div>
  );
}

const bodyOf = (
  { effective_configuration: now }: ModelConfigurationAnswer,
  changed: Partial<Record<Service, Settings | null>>,
): ModelConfiguration =>
  ({
    version: 2,
    mode: 'byok',
    byok: {
      mode: 'pipeline',
      pipeline: { llm: now.llm, tts: now.tts, stt: now.stt, embeddings: now.embeddings, ...changed },
    },
  }) as unknown as ModelConfiguration;

function ServiceCard({
  service,
  vendors,
  answer,
}: {
  service: Service;
  vendors: Vendors;
  answer: ModelConfigurationAnswer;
}) {
  const { data: health } = useQuery(get('/health', {}));
  const stored = answer.effective_configuration[service];
  const [provider, setProvider] = useState(providerOf(stored));
  const isSimulated = health?.simulated[service] === true && answer.source === 'empty';
  return (
    <Card
      title={
        <>
          {t(`models.service.${service}`)}
          <span className="text-hint font-normal">{t(`models.serviceWhy.${service}`)}</span>
        </>
      }
      aside={isSimulated ? <Simulated /> : undefined}
    >
      <div className="card-b">
        <VendorForm
          key={provider}
          service={service}
          vendors={vendors}
          provider={provider}
          stored={stored}
          answer={answer}
          onProvider={setProvider}
        />
      </div>
    </Card>
  );
}

function VendorForm({
  service,
  vendors,
  provider,
  stored,
  answer,
  onProvider,
}: {
  service: Service;
  vendors: Vendors;
  provider: string;
  stored: Settings | null;
  answer: ModelConfigurationAnswer;
  onProvider: (provider: string) => void;
}) {
  const form = useForm({
    fields: vendorFields(vendors, provider, {
      labelOf: (name) => t(`models.field.${name}`),
      providerLabel: t('models.vendor'),
      ...(service === 'llm' && stored !== null ? {} : { none: t('models.installed') }),
    }),
    initial: vendorValues(vendors, provider, stored),
    onSave: async (values) => {
      await call('put', path, {
        body: bodyOf(answer, { [service]: settingsOf(vendors, values, stored) }),
      });
      await queries.invalidateQueries({ queryKey: [path] });
      await queries.invalidateQueries({ queryKey: ['/organizations/context'] });
      toast(t('models.saved', { vendor: titleOf(vendors, provider) }));
    },
  });
  const isOther = provider !== providerOf(stored);
  const set = (name: string, value: (typeof form.values)[string]) =>
    name === 'provider'
      ? onProvider(typeof value !== 'string' || value === 'none' ? '' : value)
      : form.set(name, value);
  return (
    <div className="grid gap-4">
      <FormFields form={{ ...form, set }} needs="admin">
        {service === 'tts' && provider !== '' && (
          <div className="is-whole">
            <VoicePicker
              provider={provider}
              voice={wordsOf(form.values, 'voice')}
              language={wordsOf(form.values, 'language')}
              onVoice={(voice) => form.set('voice', voice)}
            />
          </div>
        )}
      </FormFields>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          form={form.id}
          kind="primary"
          needs="admin"
          isDisabled={form.isBusy || (!form.isDirty && !isOther)}
        >
          {t('common.save')}
        </Button>
        {(form.isDirty || isOther) && (
          <>
            <Button
              onPress={() => {
                form.reset();
                onProvider(providerOf(stored));
              }}
            >
              {t('form.discard')}
            </Button>
            <span className="text-hint text-12">{t('form.unsaved')}</span>
          </>
        )}
      </div>
    </div>
  );
}
