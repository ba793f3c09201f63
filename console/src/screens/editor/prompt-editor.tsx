import {
  acceptCompletion,
  autocompletion,
  closeCompletion,
  type CompletionSource,
  completionKeymap,
  completionStatus,
} from '@codemirror/autocomplete';
import { standardKeymap } from '@codemirror/commands';
import { Compartment, EditorState, type Range } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  keymap,
  placeholder as placeholderOf,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { may } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import type { Variable } from '../../graph/variables.ts';

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
const placeholderPattern = /\{\{\s*([^\s|}]+)\s*(?:\|([^}]*))?\}\}/g;

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
  '.cm-completionInfo': { padding: '6px 8px' },
});

/** Variables are pills; their braces appear while the caret is inside. */
function pills(isFaulty: (name: string) => boolean) {
  const build = ({ state }: EditorView): DecorationSet => {
    const ranges: Range<Decoration>[] = [];
    for (const match of state.doc.toString().matchAll(placeholderPattern)) {
      const [from, to] = [match.index, match.index + match[0].length];
      const isInside = state.selection.ranges.some((range) => range.from <= to && range.to >= from);
      const look = `var${isFaulty(match[1] ?? '') && match[2] === undefined ? ' squig' : ''}`;
      ranges.push(Decoration.mark({ class: look }).range(from, to));
      if (!isInside)
        ranges.push(Decoration.replace({}).range(from, from + 2), Decoration.replace({}).range(to - 2, to));
    }
    return Decoration.set(ranges, true);
  };
  return ViewPlugin.fromClass(
    class {
      decorations: DecorationSet;
      constructor(view: EditorView) {
        this.decorations = build(view);
      }
      update(update: ViewUpdate) {
        if (update.docChanged || update.selectionSet || update.transactions.length > 0)
          this.decorations = build(update.view);
      }
    },
    { decorations: ({ decorations }) => decorations },
  );
}

function completion(variables: readonly Variable[]): CompletionSource {
  return (context) => {
    const typed = context.matchBefore(/\{\{\s*[^\s{}|]*$/);
    if (typed === null) return null;
    const from = typed.from + 2 + (/^\{\{(\s*)/.exec(typed.text)?.[1]?.length ?? 0);
    return {
      from,
      validFor: /^[^\s{}|]*$/,
      options: variables.map(({ name, source, example }) => ({
        label: name,
        detail: t(`editor.source.${source}`),
        ...(example === null ? {} : { info: example }),
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

/** Escape closes the list. Without one it leaves the field, also while a list is still being made. */
const closeList = (view: EditorView): boolean =>
  completionStatus(view.state) === 'active' && closeCompletion(view);

export interface PromptEditorProps {
  label: string;
  describedBy?: string;
  value: string;
  onChange: (value: string) => void;
  placeholder?: string | null;
  variables: readonly Variable[];
  isFaulty: (name: string) => boolean;
  isInvalid?: boolean;
  hasFocus?: boolean;
}

/** A text with variables. Undo is that of the whole editor. */
export default function PromptEditor(props: PromptEditorProps) {
  const { label, describedBy, value, placeholder, variables, isFaulty, isInvalid = false, hasFocus } = props;
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const parts = useRef({ known: new Compartment(), attributes: new Compartment() });
  const latest = useRef(props);
  useEffect(() => {
    latest.current = props;
  });

  const known = () => [
    pills(isFaulty),
    autocompletion({ override: [completion(variables)], icons: false, defaultKeymap: false }),
  ];
  const attributes = () =>
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-multiline': 'true',
      'aria-invalid': String(isInvalid),
      ...(describedBy === undefined ? {} : { 'aria-describedby': describedBy }),
      spellcheck: 'true',
      autocapitalize: 'sentences',
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
          look,
          keymap.of([
            { key: 'Tab', run: acceptCompletion },
            { key: 'Escape', run: closeList },
            ...completionKeymap.filter(({ key }) => key !== 'Escape'),
            ...standardKeymap,
          ]),
          parts.current.known.of(known()),
          parts.current.attributes.of(attributes()),
          ...(placeholder == null ? [] : [placeholderOf(placeholder)]),
          EditorView.updateListener.of(({ docChanged, state }) => {
            const text = state.doc.toString();
            if (docChanged && text !== latest.current.value) latest.current.onChange(text);
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
    view.current?.dispatch({
      effects: [parts.current.known.reconfigure(known()), parts.current.attributes.reconfigure(attributes())],
    });
    // eslint-disable-next-line react-hooks/exhaustive-deps -- by content, not by identity
  }, [JSON.stringify(variables), label, describedBy, isInvalid]);

  return <div ref={place} className="txt" />;
}
