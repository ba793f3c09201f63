import { TriangleAlert } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useId, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { nowDate } from '../../app/clock.ts';
import { whenIdle } from '../../app/idle.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { knownVariables, variableFaults, type VariableFault, withDefault } from '../../graph/variables.ts';
import { renderedLine, renderedText } from '../../graph/rendered.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { cx } from '../../parts/cx.ts';
import { FieldLabel } from './field-label.tsx';
import type { PromptEditorProps } from './prompt-editor.tsx';
import { useDraft, useSession } from './session.ts';

let loading: Promise<{ default: ComponentType<PromptEditorProps> }> | undefined;
const load = () => (loading ??= import('./prompt-editor.tsx').catch(() => ({ default: PlainEditor })));
const PromptEditor = lazy(load);
// Not only with the first field: a service that goes away later takes no field with it.
whenIdle(() => void load());

/** What remains if the editor of prompts cannot be loaded. */
function PlainEditor({ label, describedBy, value, onChange, isInvalid }: PromptEditorProps) {
  return (
    <textarea
      className="txt block w-full resize-y bg-transparent outline-none"
      rows={4}
      aria-label={label}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export interface PromptFieldProps {
  label: string;
  help?: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | null;
  error?: string | undefined;
  hasFocus?: boolean;
  /** What stands in front of the text when the model gets it. */
  globalPrompt?: string | null;
}

/** A text in which a call fills in variables, with what is wrong with them and how to mend it. */
export function PromptField({
  label,
  help,
  value,
  onChange,
  placeholder,
  error,
  hasFocus,
  globalPrompt = null,
}: PromptFieldProps) {
  const { agentId } = useSession();
  const { data } = useQuery(get('/workflow/{workflow_id}/variables', { params: { workflow_id: agentId } }));
  const draft = useDraft();
  const faults = variableFaults(value, draft.values);
  const variables = knownVariables(draft, data?.variables);
  const id = useId();
  const [renderedAt, setRenderedAt] = useState<Date | null>(null);
  const isTemplate = value.includes('{{') || globalPrompt !== null;
  const tokens = Math.ceil(value.length / 4);
  return (
    <div className="field">
      <FieldLabel {...(help === undefined ? {} : { help })}>{label}</FieldLabel>
      <div className={cx('pe', error !== undefined && 'bad')}>
        <Suspense fallback={<p className="txt whitespace-pre-wrap">{value || ' '}</p>}>
          <PromptEditor
            label={label}
            describedBy={id}
            value={value}
            onChange={onChange}
            {...(placeholder === undefined ? {} : { placeholder })}
            variables={variables}
            faulty={faults.map(({ name }) => name)}
            valueOf={(text) => renderedLine(text, { values: draft.values, now: nowDate() })}
            isInvalid={error !== undefined}
            {...(hasFocus === undefined ? {} : { hasFocus })}
          />
        </Suspense>
        <div id={id}>
          {faults.map((fault) => (
            <Mend
              key={fault.name}
              fault={fault}
              onGive={(text) => onChange(withDefault(value, fault.name, text))}
            />
          ))}
        </div>
        <div className="ft">
          <span className="hide-s">{t('editor.typeBraces')}</span>
          <span className="grow" />
          {isTemplate && (
            <button
              type="button"
              className="link"
              aria-expanded={renderedAt !== null}
              onClick={() => setRenderedAt(renderedAt === null ? nowDate() : null)}
            >
              {t(renderedAt === null ? 'editor.showRendered' : 'editor.hideRendered')}
            </button>
          )}
          {tokens > 0 && <span className="t-3">{t('editor.tokens', { count: tokens })}</span>}
        </div>
      </div>
      {isTemplate && renderedAt !== null && (
        <p className="rendered" role="region" tabIndex={0} aria-label={t('editor.rendered', { label })}>
          {renderedText(value, { values: draft.values, globalPrompt, now: renderedAt })}
        </p>
      )}
      {error !== undefined && <p className="hint bad">{error}</p>}
    </div>
  );
}

function Mend({
  fault: { name, message, needsDefault },
  onGive,
}: {
  fault: VariableFault;
  onGive: (text: string) => void;
}) {
  const [text, setText] = useState<string | null>(null);
  return (
    <div className="fix">
      <p className="row">
        <TriangleAlert className="i" aria-hidden size={14} />
        <span>{message}</span>
      </p>
      {needsDefault && text === null && (
        <div className="row">
          <Button size="xs" onPress={() => setText('')}>
            {t('editor.giveDefault')}
          </Button>
        </div>
      )}
      {text !== null && (
        <form
          className="row items-end"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== '') onGive(text.trim());
          }}
        >
          <TextField
            label={t('editor.defaultFor', { name })}
            value={text}
            onChange={setText}
            hasFocus
            className="grow"
          />
          <Button type="submit" size="md">
            {t('editor.useDefault')}
          </Button>
        </form>
      )}
    </div>
  );
}
