import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { t } from '../app/words.ts';
import { IconButton } from './button.tsx';
import { cx } from './cx.ts';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** Buttons, the main one last. */
  footer?: ReactNode;
  /** `sheet` slides in from the side; on a phone from below. */
  kind?: 'dialog' | 'sheet';
  size?: 'md' | 'lg' | 'xl';
  /** Escape and a press outside do not close it. */
  isModalOnly?: boolean;
}

export function Dialog({
  title,
  isOpen,
  onClose,
  children,
  footer,
  kind = 'dialog',
  size = 'md',
  isModalOnly = false,
}: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!isModalOnly}
      isKeyboardDismissDisabled={isModalOnly}
      className={cx('scrim', kind === 'sheet' && 'is-sheet')}
    >
      <Modal className={cx('dialog', `dialog-${size}`, kind === 'sheet' && 'sheet')}>
        <AriaDialog className="flex min-h-0 flex-1 flex-col outline-none">
          <header className="flex items-center gap-2">
            <Heading slot="title" className="text-16 text-ink flex-1 font-semibold">
              {title}
            </Heading>
            {!isModalOnly && <IconButton icon={X} label={t('common.close')} onPress={onClose} />}
          </header>
          <div className="min-h-0 flex-1 overflow-auto px-5 pb-5">{children}</div>
          {footer !== undefined && <footer className="justify-end">{footer}</footer>}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
