import { useQuery } from '@tanstack/react-query';
import { Ellipsis, UserPlus } from 'lucide-react';
import { useState } from 'react';
import type { Invitation, Member } from '../../../../src/contract/people.ts';
import { call } from '../../app/api.ts';
import { date } from '../../app/format.ts';
import { useMay } from '../../app/may.ts';
import { get } from '../../app/query.ts';
import { t } from '../../app/words.ts';
import { Refusal, useAction } from '../../parts/action.tsx';
import { State } from '../../parts/badge.tsx';
import { Button, IconButton } from '../../parts/button.tsx';
import { Card, Facts } from '../../parts/card.tsx';
import { DataList } from '../../parts/data-list.tsx';
import { Menu, type MenuEntry } from '../../parts/menu.tsx';
import { Loaded } from '../../parts/states.tsx';
import { toast } from '../../parts/toast.tsx';
import { When } from '../../parts/when.tsx';
import { ChangeRole, HandOver, Invite, Leave, Remove, ResetPassword } from './people-dialogs.tsx';
import { nameOf, refreshPeople, roles } from './roles.ts';

type Open = { kind: 'role' | 'password' | 'remove' | 'owner'; member: Member };

/** Who is in the organization and as what, who is invited, and what each role may do. */
export function People() {
  const query = useQuery(get('/organizations/members', {}));
  const isManaging = useMay()('admin');
  const [isInviting, setInviting] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <>
      <div className="room">
        <Loaded query={query} rows={4}>
          {(members) => (
            <>
              <Card
                title={t('people.title')}
                aside={
                  <Button kind="primary" icon={UserPlus} needs="admin" onPress={() => setInviting(true)}>
                    {t('people.invite')}
                  </Button>
                }
              >
                <Members members={members} onOpen={setOpen} />
              </Card>
              {isManaging && <Pending />}
              <Membership members={members} />
            </>
          )}
        </Loaded>
        <Card title={t('people.roles')} className="roles-list">
          <Facts rows={roles.map((role) => [t(`people.role.${role}`), t(`people.does.${role}`)] as const)} />
        </Card>
      </div>
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {open?.kind === 'role' && <ChangeRole of={open.member} onClose={close} />}
      {open?.kind === 'password' && <ResetPassword of={open.member} onClose={close} />}
      {open?.kind === 'remove' && <Remove of={open.member} onClose={close} />}
      {open?.kind === 'owner' && <HandOver to={open.member} onClose={close} />}
    </>
  );
}

const isLastOwner = (members: readonly Member[], member: Member): boolean =>
  member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1;

function Members({ members, onOpen }: { members: readonly Member[]; onOpen: (open: Open) => void }) {
  const isManaging = useMay()('admin');
  const ofOthers = (member: Member): MenuEntry[] => [
    {
      id: 'password',
      label: t('people.resetPassword'),
      onAction: () => onOpen({ kind: 'password', member }),
    },
    { id: 'owner', label: t('people.makeOwner'), onAction: () => onOpen({ kind: 'owner', member }) },
    {
      id: 'remove',
      label: t('people.remove'),
      isDanger: true,
      onAction: () => onOpen({ kind: 'remove', member }),
    },
  ];
  const actions = (member: Member) => (
    <Menu
      label={t('people.actionsOf', { name: nameOf(member) })}
      trigger={
        <IconButton icon={Ellipsis} label={t('people.actionsOf', { name: nameOf(member) })} size="sm" />
      }
      entries={
        isLastOwner(members, member)
          ? [{ id: 'last', label: t('people.lastOwnerStays'), isDisabled: true, onAction: () => undefined }]
          : [
              { id: 'role', label: t('people.changeRole'), onAction: () => onOpen({ kind: 'role', member }) },
              ...(member.is_you ? [] : ofOthers(member)),
            ]
      }
    />
  );
  return (
    <DataList
      label={t('people.title')}
      isTall
      rows={members}
      idOf={({ user_id: id }) => String(id)}
      columns={[
        {
          id: 'person',
          label: t('people.person'),
          cell: (member) => (
            <span className="person">
              <span className="flex items-center gap-2">
                <span className="cut max-w-[36ch]">{nameOf(member)}</span>
                {member.is_you && <State is="published">{t('people.you')}</State>}
              </span>
              {member.name !== null && (
                <span className="text-12 text-hint cut max-w-[40ch] font-normal">{member.email}</span>
              )}
            </span>
          ),
        },
        { id: 'role', label: t('people.roleOf'), cell: ({ role }) => t(`people.role.${role}`) },
        {
          id: 'joined',
          label: t('people.joined'),
          isWide: true,
          cell: ({ joined_at: at }) => <When at={at} />,
        },
        ...(isManaging
          ? [{ id: 'menu', label: t('common.more'), isLabelHidden: true, width: '52px', cell: actions }]
          : []),
      ]}
    />
  );
}

function Pending() {
  const query = useQuery(get('/organizations/invitations', {}));
  const { run, error } = useAction();
  const revoke = ({ id, email }: Invitation) =>
    run(async () => {
      await call('delete', '/organizations/invitations/{invitation_id}', { params: { invitation_id: id } });
      await refreshPeople();
      toast(t('people.revoked', { email }));
    }, id);
  if (query.data !== undefined && query.data.length === 0) return null;
  return (
    <Card title={t('people.pending')}>
      <Loaded query={query} rows={1}>
        {(invitations) =>
          invitations.map((each) => (
            <div key={each.id} className="room-row">
              <span className="grow">
                <span className="text-ink">{each.email}</span>
                <span className="text-hint text-12 block">
                  {t(`people.role.${each.role}`)} · {t('people.until')}{' '}
                  <time dateTime={each.expires_at}>{date(new Date(each.expires_at))}</time>
                </span>
              </span>
              <Button kind="danger" needs="admin" onPress={() => revoke(each)}>
                {t('people.revoke')}
              </Button>
            </div>
          ))
        }
      </Loaded>
      <Refusal error={error} />
    </Card>
  );
}

function Membership({ members }: { members: readonly Member[] }) {
  const { data } = useQuery(get('/organizations/context', {}));
  const [isLeaving, setLeaving] = useState(false);
  const own = members.find(({ is_you: isYou }) => isYou);
  if (own === undefined || data === undefined) return null;
  const organization = data.organization_name;
  const isLast = isLastOwner(members, own);
  return (
    <Card title={t('people.membership')}>
      <div className="room-row">
        <span className="grow">
          {t('people.membershipOf', { organization, role: t(`people.role.${own.role}`) })}
          {isLast && <span className="text-hint text-12 block">{t('people.lastOwner')}</span>}
        </span>
        <Button kind="danger" isDisabled={isLast} onPress={() => setLeaving(true)}>
          {t('people.leave', { organization })}
        </Button>
      </div>
      {isLeaving && <Leave organization={organization} onClose={() => setLeaving(false)} />}
    </Card>
  );
}
