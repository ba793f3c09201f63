import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { WorkflowOverview } from '../../../../src/contract/agent-overviews.ts';
import { get } from '../../app/query.ts';
import { rootPath } from '../../app/root.ts';
import { t } from '../../app/words.ts';
import { Card } from '../../parts/card.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Note } from '../../parts/note.tsx';
import { Select } from '../../parts/select.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { Segmented } from '../../parts/tabs.tsx';
import { keysForCalls, languages, type Language, snippet, triggerOf } from './snippets.ts';

/** Programs that start a call of an agent. */
export function Snippets({
  agentId,
  onAgent,
}: {
  agentId: number | undefined;
  onAgent: (id: number) => void;
}) {
  const query = useQuery(get('/workflow/overview', { query: { status: 'active', limit: 500 } }));
  return (
    <div className="room">
      <Loaded query={query}>
        {({ items }) => {
          const chosen = items.find(({ id }) => id === agentId) ?? items[0];
          if (chosen === undefined)
            return (
              <Empty
                title={t('developers.noAgents')}
                action={
                  <Link to="/agents" className="btn">
                    {t('developers.toAgents')}
                  </Link>
                }
              >
                {t('developers.noAgentsWhy')}
              </Empty>
            );
          return (
            <>
              <Select
                label={t('developers.agent')}
                className="max-w-[420px]"
                value={String(chosen.id)}
                onChange={(id) => onAgent(Number(id))}
                options={items.map(({ id, name }) => ({ value: String(id), label: name }))}
              />
              <OfAgent key={chosen.id} agent={chosen} />
            </>
          );
        }}
      </Loaded>
    </div>
  );
}

function OfAgent({ agent }: { agent: WorkflowOverview }) {
  const [language, setLanguage] = useState<Language>('curl');
  const [keyId, setKeyId] = useState<number | null>(null);
  const { data: ownKeys } = useQuery(get('/user/api-keys', {}));
  const keys = keysForCalls(ownKeys ?? []);
  const key = keys.find(({ id }) => id === keyId) ?? keys[0];
  const { data } = useQuery(get('/workflow/{workflow_id}/variables', { params: { workflow_id: agent.id } }));
  const asked = (data?.variables ?? []).filter(
    ({ scope, sources, uses }) =>
      scope === 'initial_context' &&
      uses.length > 0 &&
      !sources.some(({ type }) => ['telephony', 'time', 'service', 'call', 'extraction'].includes(type)),
  );
  const path = triggerOf(agent.workflow_uuid, agent.used_by.trigger_paths);
  const code = snippet(language, {
    origin: `${location.origin}${rootPath}`,
    path,
    agentId: agent.id,
    phoneNumber: '+12025550143',
    key: key === undefined ? null : { name: key.name, prefix: key.key_prefix },
    variables: asked.map(({ name }) => name),
  });
  return (
    <Card
      title={t('developers.startACall')}
      aside={
        <Segmented
          label={t('developers.language')}
          value={language}
          onChange={setLanguage}
          options={languages.map((id) => ({ id, label: t(`developers.language.${id}`) }))}
        />
      }
    >
      <div className="card-b grid gap-3">
        {key !== undefined && (
          <Select
            label={t('developers.key')}
            className="max-w-[420px]"
            value={String(key.id)}
            onChange={(id) => setKeyId(Number(id))}
            options={keys.map(({ id, name, key_prefix: prefix }) => ({
              value: String(id),
              label: `${name} · ${prefix}…`,
            }))}
          />
        )}
        <div className="code-head">
          <code className="mono text-muted flex-1 [overflow-wrap:anywhere]">POST /api/v1{path}</code>
          <CopyButton text={code} label={t('common.copy')} />
        </div>
        <pre className="code is-block" tabIndex={0} aria-label={t('developers.program')}>
          {code}
        </pre>
        {agent.published === null && <Note>{t('developers.notPublished')}</Note>}
        {key === undefined && ownKeys !== undefined && <Note>{t('developers.noCallKey')}</Note>}
        <Note>{language === 'cli' ? t('developers.cliNote') : t('developers.keyNote')}</Note>
        {asked.length > 0 && (
          <p className="text-muted flex flex-wrap items-center gap-1">
            {t('developers.variables')}
            {asked.map(({ name }) => (
              <code key={name} className="var">
                {name}
              </code>
            ))}
          </p>
        )}
      </div>
    </Card>
  );
}
