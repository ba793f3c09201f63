import { Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { t } from '../../app/words.ts';

/** The name of a field with its help behind a button. */
export function FieldLabel({
  help,
  children,
  aside,
}: {
  help?: string;
  children: string;
  aside?: ReactNode;
}) {
  return (
    <div className="lbl">
      <span>{children}</span>
      {help !== undefined && <Help name={children}>{help}</Help>}
      {aside !== undefined && <span className="grow" />}
      {aside}
    </div>
  );
}

export function Help({ name, children }: { name: string; children: string }) {
  return (
    <DialogTrigger>
      {/* In a field of React Aria, a button without this is the field's own. */}
      <Button slot={null} className="help" aria-label={t('editor.help', { name })}>
        <Info className="i" aria-hidden size={14} strokeWidth={1.5} />
      </Button>
      <Popover className="pop help-pop" placement="bottom start">
        <Dialog aria-label={t('editor.help', { name })} className="outline-none">
          <p className="text-12 text-words">{children}</p>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
