import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { copyText } from '../app/insecure.ts';
import { t } from '../app/words.ts';
import { Button, IconButton } from './button.tsx';

/** Copies a text and says so. Without a label it is an icon. */
export function CopyButton({ text, label, name }: { text: string; label?: string; name?: string }) {
  const [isDone, setDone] = useState(false);
  const onPress = () => {
    const copy = async () => {
      await copyText(text);
      setDone(true);
      setTimeout(() => setDone(false), 2000);
    };
    void copy();
  };
  const icon = isDone ? Check : Copy;
  const said = isDone ? t('common.copied') : (label ?? name ?? t('common.copy'));
  return label === undefined ? (
    <IconButton icon={icon} label={said} size="xs" onPress={onPress} />
  ) : (
    <Button icon={icon} size="sm" kind="ghost" onPress={onPress}>
      {said}
    </Button>
  );
}
