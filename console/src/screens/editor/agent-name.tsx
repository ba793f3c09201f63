import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useMay } from '../../app/may.ts';
import { t } from '../../app/words.ts';
import { maxNameLength, nameFault } from '../../graph/agent-name.ts';
import { cx } from '../../parts/cx.ts';
import { useAgentName, useSession } from './session.ts';

/** The name of the agent in the bar. A press lets people change it. */
export function AgentName() {
  const session = useSession();
  const name = useAgentName();
  const [isEditing, setEditing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !isEditing) button.current?.focus();
    wasEditing.current = isEditing;
  }, [isEditing]);
  const canRename = useMay()('agents:write');
  if (!canRename) return <h1 className="text-13 text-ink cut font-semibold">{name}</h1>;
  if (isEditing)
    return (
      <NameField
        name={name}
        onDone={(next) => {
          if (next !== name)
            session.change((draft) => ({ ...draft, name: next }), { name: t('editor.did.rename') });
          void session.flush();
          setEditing(false);
        }}
        onCancel={() => setEditing(false)}
      />
    );
  return (
    <h1 className="text-13 text-ink font-semibold agent-name">
      <button
        ref={button}
        type="button"
        className="cut"
        title={t('editor.rename')}
        onClick={() => setEditing(true)}
      >
        {name}
      </button>
    </h1>
  );
}

function NameField({
  name,
  onDone,
  onCancel,
}: {
  name: string;
  onDone: (name: string) => void;
  onCancel: () => void;
}) {
  const [text, setText] = useState(name);
  const [isChecked, setChecked] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const notes = useId();
  useEffect(() => field.current?.select(), []);
  const fault = nameFault(text);
  const hasError = fault !== null && (isChecked || fault === 'long');
  const isOver = useRef(false);
  const done = () => {
    if (isOver.current) return; // the field loses the focus when it goes
    if (fault !== null) {
      setChecked(true);
      return;
    }
    isOver.current = true;
    onDone(text.trim());
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') {
      done();
      return;
    }
    isOver.current = true;
    onCancel();
  };
  return (
    <span className="naming">
      <input
        ref={field}
        className={cx('input', hasError && 'bad')}
        aria-label={t('editor.agentName')}
        aria-invalid={hasError}
        aria-describedby={notes}
        value={text}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={onKey}
        onBlur={done}
      />
      <span id={notes} role="alert" className={cx('naming-fault', !hasError && 'vh')}>
        {hasError && t(`editor.nameFault.${fault}`, { limit: maxNameLength })}
      </span>
    </span>
  );
}
