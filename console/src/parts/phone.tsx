import type { ClipboardEvent } from 'react';
import { useNumberText, usePlainNumberText } from '../app/numbers.ts';
import { isWholeNumber } from '../app/phone-text.ts';
import { t } from '../app/words.ts';
import { CopyButton } from './copy-button.tsx';
import { cx } from './cx.ts';

interface PhoneProps {
  /** In E.164; anything else is shown as it is. */
  number: string;
  /** Without a button that copies: in rows and links. What is selected there is copied in E.164 all the same. */
  isBare?: boolean;
  className?: string;
}

/** A person's number: masked until this tab shows numbers (`p`), and always copied in E.164. */
export function Phone(props: PhoneProps) {
  return <Written {...props} text={useNumberText()(props.number)} />;
}

/** One of the organization's own numbers, which is never masked. */
export function OwnPhone(props: PhoneProps) {
  return <Written {...props} text={usePlainNumberText()(props.number)} />;
}

function Written({ number, text, isBare = false, className }: PhoneProps & { text: string }) {
  const copy = (event: ClipboardEvent<HTMLElement>) => {
    const { anchorNode, focusNode } = getSelection() ?? {};
    // A selection that goes beyond the number is copied as it is seen.
    if (!event.currentTarget.contains(anchorNode ?? null) || !event.currentTarget.contains(focusNode ?? null))
      return;
    event.clipboardData.setData('text/plain', number);
    event.preventDefault();
  };
  return (
    <span className={cx('phone-number', className)}>
      <bdi dir="ltr" className="num" onCopy={copy}>
        {text}
      </bdi>
      {!isBare && isWholeNumber(number) && <CopyButton text={number} name={t('common.copyNumber')} />}
    </span>
  );
}
