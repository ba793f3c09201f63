import type { ReactNode } from 'react';
import { FieldError, Text } from 'react-aria-components';

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
