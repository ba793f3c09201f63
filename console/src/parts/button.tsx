import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaProps,
  Tooltip,
  TooltipTrigger,
} from 'react-aria-components';
import type { Scope } from '../../../src/contract/data/scopes.ts';
import { useMay, whyNot } from '../app/may.ts';
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
}

export function Button({
  kind = 'plain',
  size = 'sm',
  icon: Icon,
  children,
  className,
  isDisabled: isOff,
  needs,
  ...rest
}: ButtonProps) {
  const reason = useReason(needs);
  const isDisabled = reason !== undefined || isOff;
  const look = cx(
    'btn',
    kind === 'danger' ? 'danger' : kind !== 'plain' && kind,
    size !== 'sm' && size,
    isDisabled && 'off',
    className,
  );
  const button = (
    <AriaButton {...rest} {...(isDisabled === undefined ? {} : { isDisabled })} className={look}>
      {Icon !== undefined && <Icon className="i" aria-hidden size={16} strokeWidth={1.5} />}
      {Icon === undefined ? children : <span className="btn-text">{children}</span>}
    </AriaButton>
  );
  return reason === undefined ? button : <span title={reason}>{button}</span>;
}

/** Why the button is not offered, if it needs a scope that the person lacks. */
function useReason(needs: Scope | undefined): string | undefined {
  useMay();
  return whyNot(needs);
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
  ...rest
}: Omit<ButtonProps, 'children' | 'icon'> & { label: string; icon: LucideIcon }) {
  const reason = useReason(needs);
  const isDisabled = reason !== undefined || isOff;
  return (
    <TooltipTrigger delay={400}>
      <AriaButton
        {...rest}
        {...(isDisabled === undefined ? {} : { isDisabled })}
        aria-label={label}
        className={cx(
          'btn icon',
          kind !== 'plain' && kind,
          size !== 'sm' && size,
          isDisabled && 'off',
          className,
        )}
      >
        <Icon className="i" aria-hidden size={16} strokeWidth={1.5} />
      </AriaButton>
      <Tooltip offset={6} className="tooltip">
        {reason ?? label}
      </Tooltip>
    </TooltipTrigger>
  );
}
