import { TriangleAlert } from 'lucide-react';
import { type ComponentType, lazy, Suspense, useId, useMemo, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { nowDate } from '../../app/clock.ts';
import { whenIdle } from '../../app/idle.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { testValuesOf } from '../../graph/draft.ts';
import {
  knownVariables,
  mended,
  payloadVariables,
  renamedColumnsOf,
  variableFaults,
  type VariableFault,
  withDefault,
} from '../../graph/variables.ts';
import { renderedLine, renderedText } from '../../graph/rendered.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { cx } from '../../parts/cx.ts';
import { FieldLabel } from './field-label.tsx';
import { useJsonText } from './json-text.ts';
import { problemText, variableMend } from './problem-text.ts';
import type { PromptEditorProps } from './prompt-editor.tsx';
import { useTestValues } from './rail/tester.ts';
import { useDraft, useSession } from './session.ts';

let loading: Promise<{ default: ComponentType<PromptEditorProps> }> | undefined;
const load = () => (loading ??= import('./prompt-editor.tsx').catch(() => ({ default: PlainEditor })));
const PromptEditor = lazy(load);
// Not only with the first field: a service that goes away later takes no field with it.
whenIdle(() => void load());

/** What remains if the editor of prompts cannot be loaded. */
function PlainEditor({ label, describedBy, value, onChange, onBlur, isInvalid }: PromptEditorProps) {
  return (
    <textarea
      className="txt block w-full resize-y bg-transparent outline-none"
      rows={4}
      aria-label={label}
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
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

/** What fills in variables: those of the draft and of the files of the agent's campaigns. */
function useKnown() {
  const { agentId } = useSession();
  const { data } = useQuery(get('/workflow/{workflow_id}/variables', { params: { workflow_id: agentId } }));
  const listed = data?.variables;
  const renamedColumns = useMemo(() => renamedColumnsOf(listed ?? []), [listed]);
  return { listed, renamedColumns };
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
  const { listed, renamedColumns } = useKnown();
  const draft = useDraft();
  const tests = useTestValues();
  const known = { testValues: testValuesOf(draft), renamedColumns };
  const faults = variableFaults(value, known);
  const variables = knownVariables(draft, listed);
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
            valueOf={(text) => renderedLine(text, { values: tests.values, now: nowDate() })}
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
              onMend={() => onChange(mended(value, fault.name, known))}
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
        <div className="rendered" role="region" tabIndex={0} aria-label={t('editor.rendered', { label })}>
          <p className="t-2">{t('editor.renderedWith', { name: tests.name })}</p>
          <p>{renderedText(value, { values: tests.values, globalPrompt, now: renderedAt })}</p>
        </div>
      )}
      {error !== undefined && <p className="hint bad">{error}</p>}
    </div>
  );
}

/** A JSON object whose texts are templates: the body of a webhook. */
export function JsonTemplate({
  label,
  hint,
  help,
  value,
  onChange,
  hasFocus,
}: {
  label: string;
  hint: string;
  help: string | null;
  value: unknown;
  onChange: (value: unknown) => void;
  hasFocus?: boolean;
}) {
  const { listed } = useKnown();
  const draft = useDraft();
  const { values } = useTestValues();
  const { text, isValid, set, commit } = useJsonText(value, onChange);
  const id = useId();
  return (
    <div className="field">
      <FieldLabel {...(help === null ? {} : { help })}>{label}</FieldLabel>
      <div className={cx('pe', !isValid && 'bad')}>
        <Suspense fallback={<p className="txt mono whitespace-pre-wrap">{text || ' '}</p>}>
          <PromptEditor
            label={label}
            describedBy={id}
            isCode
            value={text}
            onChange={set}
            onBlur={commit}
            variables={payloadVariables(draft, listed)}
            faulty={[]}
            valueOf={(placeholder) => renderedLine(placeholder, { values, now: nowDate() })}
            isInvalid={!isValid}
            {...(hasFocus === undefined ? {} : { hasFocus })}
          />
        </Suspense>
        <div className="ft">
          <span className="hide-s">{t('editor.typeBraces')}</span>
        </div>
      </div>
      <p id={id} className={isValid ? 'hint' : 'hint bad'}>
        {isValid ? hint : t('editor.refused.json')}
      </p>
    </div>
  );
}

function Mend({
  fault,
  onGive,
  onMend,
}: {
  fault: VariableFault;
  onGive: (text: string) => void;
  onMend: () => void;
}) {
  const { name, mend } = fault;
  const [text, setText] = useState<string | null>(null);
  return (
    <div className="fix">
      <p className="row">
        <TriangleAlert className="i" aria-hidden size={14} />
        <span>{problemText(fault)}</span>
      </p>
      {mend === 'default' && text === null && (
        <div className="row">
          <Button size="xs" onPress={() => setText('')}>
            {t('editor.giveDefault')}
          </Button>
        </div>
      )}
      {mend === 'text' && (
        <div className="row">
          <Button size="xs" onPress={onMend}>
            {variableMend(fault)}
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
