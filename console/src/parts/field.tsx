import type { ReactNode } from 'react';
import { FieldError, Label, Text } from 'react-aria-components';

/** What all fields of forms have. */
export interface FieldProps {
  label: string;
  /** One sentence below the field. */
  hint?: ReactNode;
  /** Why the value is refused. */
  error?: string | undefined;
  isDisabled?: boolean;
  isRequired?: boolean;
  className?: string;
  /** Beside the label: what tells more about the field. */
  aside?: ReactNode;
}

/** The name of a field, with what stands beside it. */
export function FieldName({
  label,
  aside,
  isHidden = false,
}: {
  label: ReactNode;
  aside?: ReactNode;
  /** It is read out but not shown. */
  isHidden?: boolean;
}) {
  const isPlain = aside === undefined || aside === false;
  const name = <Label className={isHidden ? 'vh' : isPlain ? 'lbl' : ''}>{label}</Label>;
  return isPlain ? (
    name
  ) : (
    <div className="lbl">
      {name}
      {aside}
    </div>
  );
}

/** What stands below a field. */
export function Notes({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) {
  return (
    <>
      {hint !== undefined && error === undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="hint bad">{error}</FieldError>
    </>
  );
}
