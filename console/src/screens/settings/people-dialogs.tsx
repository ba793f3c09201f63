import { type ReactNode, useState } from 'react';
import type { Role } from '../../../../src/contract/data/scopes.ts';
import type { Member, NewInvitation, NewPasswordLink } from '../../../../src/contract/people.ts';
import { call } from '../../app/api.ts';
import { queries } from '../../app/query.ts';
import { session } from '../../app/session.ts';
import { t } from '../../app/words.ts';
import { Confirm } from '../../parts/action.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Note } from '../../parts/note.tsx';
import { FormDialog, type Form } from '../../parts/form.tsx';
import { type Field, wordsOf } from '../../parts/form-values.ts';
import { toast } from '../../parts/toast.tsx';
import { nameOf, refreshPeople, roles } from './roles.ts';

const roleField = (): Field => ({
  name: 'role',
  label: t('people.roleOf'),
  kind: 'select',
  isRequired: true,
  options: roles.map((value) => ({ value, label: t(`people.role.${value}`) })),
});

const roleIn = (form: Pick<Form, 'values'>): Role =>
  roles.find((each) => each === wordsOf(form.values, 'role')) ?? 'operator';

/** What the chosen role may do. */
const Does = ({ form }: { form: Form }) => (
  <p className="text-muted is-whole">{t(`people.does.${roleIn(form)}`)}</p>
);

/** Makes an invitation, and shows its link once. */
export function Invite({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<NewInvitation | null>(null);
  if (made !== null)
    return (
      <ShownOnce title={t('people.invited', { email: made.email })} link={made.link} onClose={onClose}>
        <p className="text-muted">
          {t(`people.role.${made.role}`)}: {t(`people.does.${made.role}`)}
        </p>
      </ShownOnce>
    );
  return (
    <FormDialog
      title={t('people.invite')}
      saveLabel={t('people.inviteSubmit')}
      isNew
      fields={[
        {
          name: 'email',
          label: t('people.email'),
          kind: 'email',
          isRequired: true,
          hint: t('people.inviteHint'),
        },
        roleField(),
      ]}
      initial={{ email: '', role: 'operator' }}
      onClose={() => undefined}
      onDismiss={onClose}
      onSave={async (values) => {
        const { body } = await call('post', '/organizations/invitations', {
          body: { email: wordsOf(values, 'email').trim(), role: roleIn({ values }) },
        });
        await refreshPeople();
        setMade(body);
      }}
    >
      {(form) => <Does form={form} />}
    </FormDialog>
  );
}

/** A link that is shown once, to be passed on. */
function ShownOnce({
  title,
  link,
  children,
  onClose,
}: {
  title: string;
  link: string;
  children?: ReactNode;
  onClose: () => void;
}) {
  return (
    <Dialog
      title={title}
      isOpen
      isModalOnly
      onClose={onClose}
      footer={
        <Button kind="primary" onPress={onClose}>
          {t('people.done')}
        </Button>
      }
    >
      <div className="grid gap-3">
        <div className="flex items-center gap-2">
          <code className="code is-block flex-1" data-testid="shown-link">
            {link}
          </code>
          <CopyButton text={link} name={t('people.copyLink')} />
        </div>
        <Note>{t('people.linkOnce')}</Note>
        {children}
      </div>
    </Dialog>
  );
}

/** Makes a link by which a member chooses a new password, and shows it once. */
export function ResetPassword({ of, onClose }: { of: Member; onClose: () => void }) {
  const [made, setMade] = useState<NewPasswordLink | null>(null);
  const name = nameOf(of);
  if (made !== null)
    return (
      <ShownOnce title={t('people.passwordLink', { email: made.email })} link={made.link} onClose={onClose} />
    );
  return (
    <FormDialog
      title={t('people.resetPasswordTitle', { name })}
      saveLabel={t('people.resetPasswordDo')}
      isNew
      fields={[]}
      initial={{}}
      onClose={() => undefined}
      onDismiss={onClose}
      onSave={async () => {
        const path = '/organizations/members/{user_id}/password-link';
        setMade((await call('post', path, { params: { user_id: of.user_id } })).body);
      }}
    >
      {() => <p className="text-muted is-whole">{t('people.resetPasswordWhy', { name })}</p>}
    </FormDialog>
  );
}

export function ChangeRole({ of, onClose }: { of: Member; onClose: () => void }) {
  const name = nameOf(of);
  return (
    <FormDialog
      title={t('people.changeRoleTitle', { name })}
      fields={[roleField()]}
      initial={{ role: of.role }}
      onClose={onClose}
      onSave={async (values) => {
        const role = roleIn({ values });
        await call('put', '/organizations/members/{user_id}', {
          params: { user_id: of.user_id },
          body: { role },
        });
        await refreshPeople();
        toast(t('people.changed', { name, role: t(`people.role.${role}`) }));
      }}
    >
      {(form) => (
        <>
          <Does form={form} />
          <p className="text-muted is-whole">{t('people.changeRoleWhy')}</p>
        </>
      )}
    </FormDialog>
  );
}

export function Remove({ of, onClose }: { of: Member; onClose: () => void }) {
  const name = nameOf(of);
  return (
    <Confirm
      title={t('people.removeTitle', { name })}
      button={t('people.removeDo', { name })}
      onClose={onClose}
      onConfirm={async () => {
        await call('delete', '/organizations/members/{user_id}', { params: { user_id: of.user_id } });
        await refreshPeople();
        toast(t('people.removed', { name }));
      }}
    >
      <p>{t('people.removeWhy')}</p>
      {of.live_api_keys > 0 && <p className="mt-2">{t('people.keysStay', { n: of.live_api_keys })}</p>}
    </Confirm>
  );
}

/** Signs the browser out: the session is over on the server. */
function signedOut(): void {
  session.set(null);
  queries.clear();
}

export function HandOver({ to, onClose }: { to: Member; onClose: () => void }) {
  return (
    <Confirm
      title={t('people.makeOwnerTitle', { name: nameOf(to) })}
      button={t('people.makeOwnerDo')}
      onClose={onClose}
      onConfirm={async () => {
        await call('post', '/organizations/members/{user_id}/ownership', {
          params: { user_id: to.user_id },
        });
        signedOut();
      }}
    >
      {t('people.makeOwnerWhy')}
    </Confirm>
  );
}

export function Leave({ organization, onClose }: { organization: string; onClose: () => void }) {
  return (
    <Confirm
      title={t('people.leaveTitle', { organization })}
      button={t('people.leave', { organization })}
      onClose={onClose}
      onConfirm={async () => {
        await call('post', '/organizations/leave', {});
        signedOut();
      }}
    >
      {t('people.leaveWhy')}
    </Confirm>
  );
}
