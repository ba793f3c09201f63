import { useQuery } from '@tanstack/react-query';
import { AlertTriangle, CheckCircle2, OctagonAlert } from 'lucide-react';
import type { DirectoryFit } from '../../../../src/contract/directories.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Refusal } from '../../parts/action.tsx';
import { Tag } from '../../parts/badge.tsx';
import { ChoiceMenu } from './choice-menu.tsx';
import { verdictOf } from './fit-verdict.ts';

/** The agent with which the columns are compared, and whether they fill what it says. */
export function useFit(directoryId: number, agentId: number | undefined) {
  return useQuery({
    ...get('/directories/{directory_id}/fit', {
      params: { directory_id: directoryId },
      query: { workflow_id: agentId ?? 0 },
    }),
    enabled: agentId !== undefined,
  });
}

export function FitMenu({
  agentId,
  fit,
  onAgent,
}: {
  agentId: number | undefined;
  fit: DirectoryFit | undefined;
  onAgent: (id: number | undefined) => void;
}) {
  const { data: agents = [] } = useQuery(get('/workflow/fetch', { query: { status: 'active' } }));
  const agent = agents.find(({ id }) => id === agentId);
  return (
    <span className="fit">
      <ChoiceMenu
        label={t('contacts.agent')}
        value={agentId === undefined ? 'none' : String(agentId)}
        shown={agent?.name ?? t('contacts.compareWith')}
        choices={[
          { id: 'none', label: t('contacts.noAgent') },
          ...agents.map(({ id, name }) => ({ id: String(id), label: name })),
        ]}
        hasSearch={agents.length > 10}
        onChoose={(id) => onAgent(id === 'none' ? undefined : Number(id))}
      />
      {fit !== undefined && agentId !== undefined && <Verdict of={fit} />}
    </span>
  );
}

function Verdict({ of }: { of: DirectoryFit }) {
  const verdict = verdictOf(of);
  const words = t(`contacts.fit.${verdict}`, {
    n: verdict === 'missing' ? of.missing.length : of.warnings.length,
  });
  if (verdict === 'fits')
    return (
      <Tag is="ok" icon={CheckCircle2}>
        {words}
      </Tag>
    );
  return (
    <Tag
      is={verdict === 'missing' ? 'bad' : 'warn'}
      icon={verdict === 'missing' ? OctagonAlert : AlertTriangle}
    >
      {words}
    </Tag>
  );
}

/** What does not fit, in sentences. Nothing if all does. */
export function FitNotes({ fit, error }: { fit: DirectoryFit | undefined; error: unknown }) {
  if (error !== null) return <Refusal error={error} />;
  if (fit === undefined || verdictOf(fit) === 'fits') return null;
  const explained = new Set(fit.warnings.map(({ variable }) => variable));
  return (
    <ul className="fit-notes" aria-label={t('contacts.fitNotes')}>
      {fit.missing
        .filter((name) => !explained.has(name))
        .map((name) => (
          <li key={name} className="is-bad">
            <OctagonAlert className="i" aria-hidden size={14} strokeWidth={1.5} />
            <span>{t('contacts.missing', { name: `{{${name}}}` })}</span>
          </li>
        ))}
      {fit.warnings.map(({ code, variable, message }) => (
        <li
          key={`${code} ${variable}`}
          className={variable !== null && fit.missing.includes(variable) ? 'is-bad' : 'is-warn'}
        >
          <AlertTriangle className="i" aria-hidden size={14} strokeWidth={1.5} />
          <span>{message}.</span>
        </li>
      ))}
    </ul>
  );
}
