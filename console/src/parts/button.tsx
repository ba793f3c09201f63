import type { LucideIcon } from 'lucide-react';
import { type ReactNode, use } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import type { Scope } from '../../../src/contract/data/scopes.ts';
import { awayId, KeptHere, useLostAt } from '../app/away.ts';
import { useMay, whyNot } from '../app/may.ts';
import { t } from '../app/words.ts';
import { cx } from './cx.ts';

export interface ButtonProps extends Omit<AriaProps, 'children' | 'className' | 'style'> {
  /** `primary` is ink: one per screen. `danger` ends or deletes something. */
  kind?: 'plain' | 'primary' | 'ghost' | 'danger';
  size?: 'xs' | 'sm' | 'md' | 'lg';
  icon?: LucideIcon;
  children?: ReactNode;
  className?: string;
  /** Off, with the reason on hover, for a person without this scope. */
  needs?: Scope;
  /**
   * Off while the API cannot be reached. Absent: what submits a form, and what needs a scope to change something,
   * unless the change is kept here.
   */
  sends?: boolean;
}

export function Button({
  kind = 'plain',
  size = 'sm',
  icon: Icon,
  children,
  className,
  isDisabled: isOff,
  needs,
  sends,
  ...rest
}: ButtonProps) {
  const reason = useReason(needs);
  const isDisabled = reason !== undefined || isOff;
  const isCutOff = useIsCutOff({ needs, sends, type: rest.type });
  const look = cx(
    'btn',
    kind === 'danger' ? 'danger' : kind !== 'plain' && kind,
    size !== 'sm' && size,
    (isDisabled || isCutOff) && 'off',
    className,
  );
  const words = isCutOff ? <span title={t('frame.cutOff')}>{children}</span> : children;
  const button = (
    <AriaButton
      {...rest}
      {...(isDisabled === undefined ? {} : { isDisabled })}
      {...(isCutOff ? cutOff : {})}
      className={look}
    >
      {Icon !== undefined && <Icon className="i" aria-hidden size={16} strokeWidth={1.5} />}
      {Icon === undefined ? words : <span className="btn-text">{words}</span>}
    </AriaButton>
  );
  return reason === undefined ? button : <span title={reason}>{button}</span>;
}

/** Why the button is not offered, if it needs a scope that the person lacks. */
function useReason(needs: Scope | undefined): string | undefined {
  useMay();
  return whyNot(needs);
}

/** It keeps the focus, does nothing, and says why. */
const cutOff = { isPending: true, 'aria-describedby': awayId };

/** Whether the API would have to do what the button does, and cannot be reached. */
function useIsCutOff({ needs, sends, type }: Pick<ButtonProps, 'needs' | 'sends' | 'type'>): boolean {
  const isKept = use(KeptHere);
  const isAway = useLostAt() !== null;
  const isChange = type === 'submit' || (needs !== undefined && needs !== 'people:read');
  return isAway && (sends ?? (isChange && !isKept));
}

/** A button with an icon alone; its name is also its tooltip. */
export function IconButton({
  label,
  icon: Icon,
  kind = 'ghost',
  size = 'sm',
  className,
  isDisabled: isOff,
  needs,
  sends,
  ...rest
}: Omit<ButtonProps, 'children' | 'icon'> & { label: string; icon: LucideIcon }) {
  const reason = useReason(needs);
  const isDisabled = reason !== undefined || isOff;
  const isCutOff = useIsCutOff({ needs, sends, type: rest.type });
  return (
    <TooltipTrigger delay={400}>
      <AriaButton
        {...rest}
        {...(isDisabled === undefined ? {} : { isDisabled })}
        {...(isCutOff ? cutOff : {})}
        aria-label={label}
        className={cx(
          'btn icon',
          kind !== 'plain' && kind,
          size !== 'sm' && size,
          (isDisabled || isCutOff) && 'off',
          className,
        )}
      >
        <Icon className="i" aria-hidden size={16} strokeWidth={1.5} />
      </AriaButton>
      <Tooltip offset={6} className="tooltip">
        {reason ?? (isCutOff ? t('frame.cutOff') : label)}
      </Tooltip>
    </TooltipTrigger>
  );
}
