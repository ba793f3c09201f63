import { EyeOff, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Scope } from '../../../src/contract/data/scopes.ts';
import { ownRole, useMay, whyNot } from '../app/may.ts';
import { t } from '../app/words.ts';

/** A sentence that says why something is not offered here. Nothing if the person has every scope. */
export function WhyNot({ needs }: { needs: readonly Scope[] }) {
  useMay();
  const reasons = needs.flatMap((scope) => whyNot(scope) ?? []);
  if (reasons.length === 0) return null;
  return (
    <p className="why-not" role="note">
      <Lock className="i" aria-hidden size={14} strokeWidth={1.5} />
      <span>
        {reasons.join(' ')} {t('may.ask')}
      </span>
    </p>
  );
}

/** Says that what follows is masked, and why. Nothing if the person sees it. */
export function MaskedNote() {
  if (useMay()('people:read')) return null;
  return (
    <p className="why-not" role="note">
      <EyeOff className="i" aria-hidden size={14} strokeWidth={1.5} />
      <span>
        {t('may.maskedWhy', { role: ownRole() })} {t('may.ask')}
      </span>
    </p>
  );
}

/** A part of a page that changes something: its controls are off without the scope, and the reason stands above. */
export function Changing({ needs, children }: { needs: Scope; children: ReactNode }) {
  const isOffered = useMay()(needs);
  return (
    <>
      <WhyNot needs={[needs]} />
      <fieldset className="contents" disabled={!isOffered}>
        {children}
      </fieldset>
    </>
  );
}
