import { type ReactNode, useState } from 'react';
import { dateTime, day, integer } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { adminUsersTexts } from '#app/lib/messages/admin/users.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AdminUser } from '#contract/admin/users.ts';
import { useOwnId } from '../admin.queries.ts';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { IfAllowed, useRights } from '../kit/rights.tsx';
import { type RequestedAction, type UserAction, UserActions } from '../users/UserActions.tsx';
import { EditUser } from '../users/UserForm.tsx';
import { Mailbox } from './Mailbox.tsx';
import { PersonRole } from './PersonRole.tsx';
import { PersonSection } from './PersonSection.tsx';
import { ROLE_TONE } from './useActions.tsx';

const Fact = ({ name, wide, children }: { name: string; wide?: boolean; children: ReactNode }) => (
  <div className={wide ? 'admin-wide' : undefined}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Whether the account may sign in, and until when not. The date stands beside the badge, which does not wrap. */
export function Access({ user }: { user: Pick<AdminUser, 'access' | 'bannedUntil'> }) {
  const messages = useText(adminPersonTexts).person.account;
  const locale = useLocale();
  return (
    <>
      <Badge tone={user.access === 'open' ? 'mint' : 'coral'}>{messages.accessOf[user.access]}</Badge>
      {user.bannedUntil ? ` ${messages.until(dateTime(user.bannedUntil, locale))}` : null}
    </>
  );
}

/** The account of a person, and all that the reader may do with it. */
export function Account({ user }: { user: AdminUser }) {
  const text = useText(adminPersonTexts, adminPeopleTexts, adminUsersTexts);
  const messages = text.person.account;
  const locale = useLocale();
  return (
    <PersonSection title={messages.title}>
      <dl className="admin-facts">
        <Fact name={messages.email} wide>
          <Mailbox email={user.email} />{' '}
          <span className="text-sm text-quiet">({user.emailVerified ? messages.verified : messages.unverified})</span>
        </Fact>
        <Fact name={messages.role}>
          <Badge tone={ROLE_TONE[user.role]}>{text.people.roles[user.role]}</Badge>
        </Fact>
        <Fact name={messages.state}>
          <Badge tone={user.isConfirmed ? 'mint' : 'lead'}>
            {user.isConfirmed ? text.users.confirmed : text.users.pending}
          </Badge>
        </Fact>
        <Fact name={messages.since}>{day(user.createdAt, locale)}</Fact>
        <Fact name={messages.access}>
          <Access user={user} />
        </Fact>
        <Fact name={messages.sessions}>{integer(user.sessions, locale)}</Fact>
        <Fact name={messages.secondFactor}>{user.hasSecondFactor ? messages.on : messages.off}</Fact>
      </dl>
      <AccountActions user={user} />
      <IfAllowed call="roles.assign">
        <PersonRole user={user} />
      </IfAllowed>
      <p className="text-sm text-quiet">
        <code className="wrap-anywhere">{user.id}</code> · <When iso={user.createdAt} />
      </p>
    </PersonSection>
  );
}

/** What may be done with an account, in this order. One's own is not banned or deleted here, and that of staff is for owners. */
function actionsOn(user: AdminUser, own: boolean): UserAction[] {
  return [
    ...(user.isConfirmed ? [] : ['confirm' as const]),
    'resetPassword',
    ...(user.sessions > 0 ? ['revokeSessions' as const] : []),
    ...(own ? [] : [user.access === 'open' ? ('ban' as const) : ('unban' as const), 'remove' as const]),
  ];
}

function AccountActions({ user }: { user: AdminUser }) {
  const text = useText(adminUsersTexts, adminPeopleTexts);
  const messages = text.users;
  const { may, staffRoles } = useRights();
  const own = useOwnId() === user.id;
  const [requested, setRequested] = useState<RequestedAction | null>(null);
  const [edited, setEdited] = useState<AdminUser | null>(null);
  // The form may be stored of another account, which is edited on its own page or in the list.
  useReopenedForm<AdminUser>('user', (stored) => stored?.id === user.id && setEdited(stored));
  if (user.role !== 'user' && !own && !staffRoles.includes('owner'))
    return <p className="text-sm text-quiet">{text.people.codes.STAFF_ROLE_NEEDED}</p>;
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {may('users.update') ? (
          <Button size="sm" onClick={() => setEdited(user)}>
            {messages.edit}
          </Button>
        ) : null}
        {actionsOn(user, own)
          .filter((action) => may(`users.${action}`))
          .map((action) => (
            <Button
              key={action}
              size="sm"
              variant={action === 'confirm' ? 'soft' : undefined}
              onClick={() => setRequested({ action, rows: [user] })}
            >
              {action === 'confirm' ? messages.approve : messages[action]}
            </Button>
          ))}
      </div>
      <UserActions requested={requested} onClose={() => setRequested(null)} />
      {edited ? <EditUser key={edited.id} user={edited} onClose={() => setEdited(null)} /> : null}
    </>
  );
}
