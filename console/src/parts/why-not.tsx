import { EyeOff, Lock } from 'lucide-react';
import type { Scope } from '../../../src/contract/data/scopes.ts';
import { ownRole, useMay, whyNot } from '../app/may.ts';
import { t } from '../app/words.ts';

/** Says what of this page is masked or not offered, and why. Nothing if the person has every scope. */
export function WhyNot({ needs }: { needs: readonly Scope[] }) {
  const mayNow = useMay();
  const isMasked = needs.includes('people:read') && !mayNow('people:read');
  const reasons = needs.filter((scope) => scope !== 'people:read').flatMap((scope) => whyNot(scope) ?? []);
  if (isMasked) reasons.unshift(t('may.maskedWhy', { role: ownRole() }));
  if (reasons.length === 0) return null;
  const Icon = isMasked ? EyeOff : Lock;
  return (
    <p className="why-not" role="note">
      <Icon className="i" aria-hidden size={14} strokeWidth={1.5} />
      <span>
        {reasons.join(' ')} {t('may.ask')}
      </span>
    </p>
  );
}

/** In place of what a person without the scope does not get. */
export function NotForRole({ needs }: { needs: Scope }) {
  return (
    <div role="note" className="empty">
      <Lock className="text-icon" aria-hidden size={20} strokeWidth={1.5} />
      <h2 className="h2">{t('may.refused')}</h2>
      <p className="text-muted max-w-[60ch]">
        {whyNot(needs)} {t('may.ask')}
      </p>
    </div>
  );
}
