import { Info } from 'lucide-react';
import type { ReactNode } from 'react';

/** A sentence about a whole form. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <p className="text-muted flex gap-2 text-12">
      <Info className="mt-0.5 shrink-0" aria-hidden size={14} strokeWidth={1.5} />
      <span>{children}</span>
    </p>
  );
}
