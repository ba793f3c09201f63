import { useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { Fragment, useEffect, useId, useState } from 'react';
import type { WorkflowVariables } from '../../../../src/contract/agents.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { labelOf } from '../../graph/draft.ts';
import { Count } from '../../parts/badge.tsx';
import { IconButton } from '../../parts/button.tsx';
import { Loaded } from '../../parts/states.tsx';
import { shownName } from './actions.ts';
import { fieldName } from './field-name.ts';
import { type EditorSession, useEditor, useSession } from './session.ts';
import { sourceWords } from './source-words.ts';

type Variable = WorkflowVariables['variables'][number];

/** The variables of the stored draft: where each is used, what is said without a value, and where values come from. */
export function VariablesPanel({ onClose }: { onClose: () => void }) {
  const { agentId } = useSession();
  const query = useQuery(get('/workflow/{workflow_id}/variables', { params: { workflow_id: agentId } }));
  const isSaved = useEditor((state) => state.save.is === 'saved');
  const { refetch } = query;
  useEffect(() => {
    if (isSaved) void refetch();
  }, [isSaved, refetch]);
  const [open, setOpen] = useState<string | null>(null);
  return (
    <section className="probs" aria-label={t('editor.variables')}>
      <header>
        <h2 className="h2">{t('editor.variables')}</h2>
        {query.data !== undefined && <Count of={query.data.variables.length} />}
        <span className="grow" />
        <IconButton icon={ChevronDown} size="xs" label={t('common.close')} onPress={onClose} />
      </header>
      <Loaded query={query}>
        {({ variables }) =>
          variables.length === 0 ? (
            <p className="text-muted px-4 pb-4">{t('editor.noVariables')}</p>
          ) : (
            <table className="table vars">
              <thead>
                <tr>
                  <th scope="col">{t('editor.variable')}</th>
                  <th scope="col">{t('editor.usedIn')}</th>
                  <th scope="col" className="hide-s">
                    {t('editor.default')}
                  </th>
                  <th scope="col" className="hide-s">
                    {t('editor.comesFrom')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {variables.map((variable) => {
                  const key = `${variable.scope} ${variable.name}`;
                  return (
                    <Row
                      key={key}
                      variable={variable}
                      isOpen={open === key}
                      onToggle={() => setOpen(open === key ? null : key)}
                    />
                  );
                })}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </section>
  );
}

function Row({ variable, isOpen, onToggle }: { variable: Variable; isOpen: boolean; onToggle: () => void }) {
  const session = useSession();
  const id = useId();
  const { name, scope, uses, sources, default: usual } = variable;
  const from = sources.map((source) => {
    const node = source.type === 'extraction' && source.node_id !== null ? source.node_id : null;
    return node === null ? sourceWords(source) : `${sourceWords(source)} (${shownName(session, node)})`;
  });
  return (
    <Fragment>
      <tr>
        <td>
          <button
            type="button"
            className="var-open"
            aria-expanded={isOpen}
            aria-controls={isOpen ? id : undefined}
            onClick={onToggle}
          >
            <ChevronRight className="i" aria-hidden size={14} />
            <span className="var cut">
              {scope === 'gathered_context' ? `gathered_context.${name}` : name}
            </span>
          </button>
        </td>
        <td>{uses.length === 0 ? t('editor.notUsed') : t('editor.places', { count: uses.length })}</td>
        <td className="hide-s">{usual ?? '–'}</td>
        <td className="hide-s">{from.length === 0 ? '–' : from.join(', ')}</td>
      </tr>
      {isOpen && (
        <tr id={id}>
          <td colSpan={4} className="var-about">
            <p className="only-s text-muted">
              {usual !== null && `${t('editor.default')}: ${usual}. `}
              {from.length > 0 && `${t('editor.comesFrom')}: ${from.join(', ')}.`}
            </p>
            {uses.length === 0 ? (
              <p className="text-muted">{t('editor.notUsedLong')}</p>
            ) : (
              <ul className="row wrap">
                {uses.map((use, index) => (
                  <li key={index}>
                    <Use use={use} />
                  </li>
                ))}
              </ul>
            )}
          </td>
        </tr>
      )}
    </Fragment>
  );
}

/** A text that has the variable; a press goes there. */
function Use({ use: { id, field: path } }: { use: Variable['uses'][number] }) {
  const session = useSession();
  const [field = path] = path.replace(/^data\./, '').split('.');
  const words = `${placeOf(session, id)} · ${fieldName(session, typeOf(session, id), field)}`;
  if (id === null) return <span>{words}</span>;
  return (
    <button type="button" className="link min-h-6" onClick={() => session.select([id], field)}>
      {words}
    </button>
  );
}

const typeOf = (session: EditorSession, id: string | null): string | undefined =>
  session.draft().nodes.find((node) => node.id === id)?.type;

/** The name of a node, or the label of a transition. */
function placeOf(session: EditorSession, id: string | null): string {
  if (id === null) return t('editor.wholeAgent');
  const edge = session.draft().edges.find((each) => each.id === id);
  return edge === undefined ? shownName(session, id) : labelOf(edge) || t('editor.noLabel');
}
