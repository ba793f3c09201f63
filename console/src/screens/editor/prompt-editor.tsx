import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  type CompletionSource,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete';
import { standardKeymap } from '@codemirror/commands';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap, placeholder as placeholderOf } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { may } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import type { Source, Variable } from '../../graph/variables.ts';
import { markedAnew, pillAt, pills } from './pills.ts';
import { sourceWords } from './source-words.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

/** CodeMirror's own sheet comes after ours, so its look is changed there. */
const look = EditorView.theme({
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { font: 'inherit', lineHeight: '22px' },
  '.cm-content': { padding: '0', minHeight: '44px', caretColor: 'var(--accent)', fontFamily: 'var(--font)' },
  '.cm-line': { padding: '0' },
  '.cm-placeholder': { color: 'var(--text-3)' },
  '.cm-cursor': { borderLeftColor: 'var(--accent)' },
  '&.cm-editor .cm-tooltip': {
    background: 'var(--raised)',
    color: 'var(--text-2)',
    border: '0',
    borderRadius: 'var(--r-8)',
    boxShadow: 'var(--sh-3), 0 0 0 1px var(--line)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mono)',
    fontSize: 'var(--t-12)',
    padding: '4px',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: '4px 8px',
    borderRadius: 'var(--r-4)',
    color: 'var(--ink)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionDetail': { fontFamily: 'var(--font)', fontStyle: 'normal', color: 'var(--text-2)' },
  '.cm-completionInfo': { padding: '6px 8px', whiteSpace: 'pre-line' },
  '.pill-value': { padding: '6px 8px', maxWidth: '320px' },
});

const codeLook = EditorView.theme({
  '.cm-content': { fontFamily: 'var(--mono)', fontSize: 'var(--t-12)' },
});

function completion(variables: () => readonly Variable[]): CompletionSource {
  return (context) => {
    const typed = context.matchBefore(/\{\{\s*[^\s{}|]*$/);
    if (typed === null) return null;
    const from = typed.from + 2 + (/^\{\{(\s*)/.exec(typed.text)?.[1]?.length ?? 0);
    return {
      from,
      validFor: /^[^\s{}|]*$/,
      options: variables().map(({ name, sources, example }) => ({
        label: name,
        detail: sourceWords(sources[0]),
        ...aboutVariable(sources, example),
        apply: (view: EditorView, _: unknown, start: number, end: number) => {
          const closed = /^\s*(?:\||\}\})/.test(view.state.doc.sliceString(end, end + 4));
          const text = closed ? name : `${name}}}`;
          view.dispatch({
            changes: { from: start, to: end, insert: text },
            selection: { anchor: start + name.length },
          });
        },
      })),
    };
  };
}

/** Its further sources and an example. */
function aboutVariable(sources: readonly Source[], example: string | null): { info?: string } {
  const lines = [...sources.slice(1).map(sourceWords), ...(example === null ? [] : [example])];
  return lines.length === 0 ? {} : { info: lines.join('\n') };
}

/** Escape closes the list. Without one it leaves the field, also while a list is still being made. */
const closeList = (view: EditorView): boolean =>
  completionStatus(view.state) === 'active' && closeCompletion(view);

/** What a call would say instead of a variable, and where that comes from, while the mouse is on it. */
const values = (latest: () => PromptEditorProps) =>
  hoverTooltip(({ state }, at) => {
    const pill = pillAt(state, at);
    if (pill === null) return null;
    return {
      pos: pill.from,
      end: pill.to,
      above: true,
      create: () => {
        const dom = document.createElement('div');
        const { variables, valueOf } = latest();
        const known = variables.find(({ name }) => name === pill.name);
        const value = valueOf(pill.text);
        for (const [look, words] of [
          ['ink', value === '' ? t('editor.noValue') : value],
          ['small', known === undefined ? '' : known.sources.map(sourceWords).join(', ')],
        ] as const) {
          const line = dom.appendChild(document.createElement('p'));
          line.className = look;
          line.textContent = words;
        }
        dom.className = 'pill-value';
        return { dom };
      },
    };
  });

export interface PromptEditorProps {
  label: string;
  describedBy?: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | null;
  variables: readonly Variable[];
  /** Names of variables that have a fault. */
  faulty: readonly string[];
  /** What a variable is replaced with in a test. */
  valueOf: (text: string) => string;
  isInvalid?: boolean;
  hasFocus?: boolean;
  /** JSON: in a fixed-width font, and never checked for spelling. */
  isCode?: boolean;
  onBlur?: () => void;
}

/** A text with variables. Undo is that of the whole editor. */
export default function PromptEditor(props: PromptEditorProps) {
  const { label, describedBy, value, placeholder, faulty, isInvalid = false, hasFocus, isCode } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const attributesPart = useRef(new Compartment());
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  const attributes = () =>
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-multiline': 'true',
      'aria-invalid': String(isInvalid),
      ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      spellcheck: String(isCode !== true),
      autocapitalize: isCode === true ? 'off' : 'sentences',
    });

  useEffect(() => {
    if (place.current === null) return;
    const made = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorView.cspNonce.of(nonce),
          EditorView.lineWrapping,
          EditorState.readOnly.of(!may('agents:write')),
          ...(isCode === true ? [codeLook] : []),
          look,
          keymap.of([
            { key: 'Tab', run: acceptCompletion },
            { key: 'Escape', run: closeList },
            ...completionKeymap.filter(({ key }) => key !== 'Escape'),
            ...standardKeymap,
          ]),
          pills((name) => latest.current.faulty.includes(name)),
          values(() => latest.current),
          autocompletion({
            override: [completion(() => latest.current.variables)],
            icons: false,
            defaultKeymap: false,
            // The list opens only after braces, so nobody chooses by accident; Tab would leave the field instead.
            interactionDelay: 0,
          }),
          attributesPart.current.of(attributes()),
          ...(placeholder == null ? [] : [placeholderOf(placeholder)]),
          EditorView.domEventHandlers({ blur: () => latest.current.onBlur?.() }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (!docChanged) return;
            const text = state.doc.toString();
            if (text !== latest.current.value) latest.current.onChange(text);
          }),
        ],
      }),
    });
    view.current = made;
    if (hasFocus === true) made.focus();
    return () => made.destroy();
    // eslint-disable-next-line react-hooks/exhaustive-deps -- one editor for the life of the field
  }, []);

  useEffect(() => {
    const now = view.current;
    if (now === null || now.state.doc.toString() === value) return;
    now.dispatch({ changes: { from: 0, to: now.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    view.current?.dispatch({ effects: attributesPart.current.reconfigure(attributes()) });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- by content, not by identity
  }, [label, describedBy, isInvalid]);

  const marks = faulty.join(' ');
  useEffect(() => {
    view.current?.dispatch({ effects: markedAnew.of(null) });
  }, [marks]);

  return <div ref={place} className={isCode === true ? 'txt mono' : 'txt'} />;
}
