import { call } from '../../app/api.ts';
import { t } from '../../app/words.ts';
import { OpenedLink } from './opened-link.tsx';
import { PasswordForm } from './password-form.tsx';

/** Chooses a new password by a link, and signs in. */
export function NewPasswordPage({ token, onDone }: { token: string; onDone: () => void }) {
  return (
    <OpenedLink
      of="newPassword"
      token={token}
      read={async () => (await call('post', '/auth/password-link', { body: { token } })).body}
      titleOf={() => t('newPassword.title')}
      onDone={onDone}
    >
      {({ email }) => (
        <PasswordForm
          email={email}
          field={{
            label: t('newPassword.password'),
            hint: t('newPassword.hint'),
            autoComplete: 'new-password',
          }}
          button={t('newPassword.submit')}
          send={(given) => call('post', '/auth/password-link/use', { body: { token, ...given } })}
          onDone={onDone}
        />
      )}
    </OpenedLink>
  );
}
