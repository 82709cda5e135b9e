import '../facts.css';
import { type UseQueryResult, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { codeOf } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { dateTime, day, integer } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import type { PersonView } from '#contract/admin/people.ts';
import type { AdminUser } from '#contract/admin/users.ts';
import { Timeline } from '../audit/Timeline.tsx';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';
import { IfAllowed, useRights } from '../kit/rights.tsx';
import { type RequestedAction, type UserAction, UserActions } from '../users/UserActions.tsx';
import { Mailbox } from './Mailbox.tsx';
import { Mails } from './Mails.tsx';
import { Notes } from './Notes.tsx';
import { PersonalDataView } from './PersonalDataView.tsx';
import { Orders, Submissions, Texts, Votes } from './PersonParts.tsx';
import { PersonSection } from './PersonSection.tsx';
import { ROLE_TONE } from './useActions.tsx';
import { Wallets } from './Wallets.tsx';

/** All data of one person, and the actions on their account. */
export function PersonPage({ id, query }: { id: string; query: UseQueryResult<PersonView> }) {
  const messages = useText(adminPersonTexts).person;
  const href = useHref();
  const { may } = useRights();
  // No such account, or not even an id: another attempt cannot find it.
  if (query.isError && ['NOT_FOUND', 'BAD_REQUEST'].includes(codeOf(query.error)))
    return (
      <EmptyState
        scene={<SceneNotFound />}
        title={messages.gone.title}
        text={messages.gone.text}
        action={<ButtonLink to={href('/admin/people')}>{messages.gone.find}</ButtonLink>}
      />
    );
  if (!query.data)
    return (
      <LoadingOrError
        query={query}
        loading={messages.loading}
        failed={messages.loadFailed}
        placeholders={['h-40 rounded-card', 'h-40 rounded-card']}
        screen="users"
      />
    );
  const { user, wallets, notes, orders, submissions, votes, posts, comments, mails, older } = query.data;
  // Only owners may change the accounts of staff.
  const colleague = user.role !== 'user' && !may('roles.assign');
  return (
    <div className="grid grid-cols-1 gap-4 xl:grid-cols-2 xl:items-start">
      <Account user={user} />
      <Notes id={id} notes={notes} after={older.notes} />
      <Wallets wallets={wallets} />
      <Orders orders={orders} older={{ id, after: older.orders }} />
      <Submissions submissions={submissions} older={{ id, after: older.submissions }} />
      <Mails mails={mails} own={user.email} older={{ id, after: older.mails }} />
      {colleague ? null : <PersonalDataView id={id} name={user.username ?? user.email} />}
      <Votes user={user} votes={votes} older={{ id, after: older.votes }} />
      <Texts
        posts={posts}
        comments={comments}
        olderPosts={{ id, after: older.posts }}
        olderComments={{ id, after: older.comments }}
      />
      <PersonSection title={messages.history.title}>
        <Timeline record={{ resourceType: 'member', resourceId: id }} />
        <IfAllowed call="audit.names">
          <Link className="link justify-self-start" to={href(`/admin/audit?who=${encodeURIComponent(user.email)}`)}>
            {messages.history.own}
          </Link>
        </IfAllowed>
      </PersonSection>
    </div>
  );
}

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

function Account({ user }: { user: AdminUser }) {
  const text = useText(adminPersonTexts, adminPeopleTexts);
  const messages = text.person.account;
  const locale = useLocale();
  const href = useHref();
  const queries = useQueryClient();
  const [requested, setRequested] = useState<RequestedAction | null>(null);
  const actions: UserAction[] = [user.access === 'open' ? 'ban' : 'unban', 'revokeSessions', 'resetPassword'];
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
        <Fact name={messages.since}>{day(user.createdAt, locale)}</Fact>
        <Fact name={messages.access}>
          <Access user={user} />
        </Fact>
        <Fact name={messages.sessions}>{integer(user.sessions, locale)}</Fact>
        <Fact name={messages.secondFactor}>{user.hasSecondFactor ? messages.on : messages.off}</Fact>
      </dl>
      <div className="flex flex-wrap gap-2">
        {actions.map((action) => (
          <Button key={action} size="sm" onClick={() => setRequested({ action: action, rows: [user] })}>
            {text.person.acts[action as keyof typeof text.person.acts]}
          </Button>
        ))}
      </div>
      <IfAllowed call="users.remove">
        <Link className="link text-sm" to={href(`/admin/complete-users?${new URLSearchParams({ q: user.email })}`)}>
          {messages.more}
        </Link>
      </IfAllowed>
      <UserActions
        requested={requested}
        onClose={() => {
          setRequested(null);
          void queries.invalidateQueries({ queryKey: rpc.admin.people.key() });
        }}
      />
      <p className="text-sm text-quiet">
        <code className="wrap-anywhere">{user.id}</code> · <When iso={user.createdAt} />
      </p>
    </PersonSection>
  );
}
