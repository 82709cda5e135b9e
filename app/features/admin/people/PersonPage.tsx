import '../facts.css';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import { codeOf } from '#app/lib/api/failure.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import type { PersonView } from '#contract/admin/people.ts';
import { Timeline } from '../audit/Timeline.tsx';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';
import { IfAllowed, useRights } from '../kit/rights.tsx';
import { Account } from './Account.tsx';
import { Mails } from './Mails.tsx';
import { Notes } from './Notes.tsx';
import { PersonalDataView } from './PersonalDataView.tsx';
import { Orders, Submissions, Texts, Votes } from './PersonParts.tsx';
import { PersonSection } from './PersonSection.tsx';
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
      {/* Two independent columns: in rows, a long part would leave an empty space beside it. */}
      <div className="grid grid-cols-1 gap-4">
        <Account user={user} />
        <Notes id={id} notes={notes} after={older.notes} />
        <Wallets wallets={wallets} />
        {colleague ? null : <PersonalDataView id={id} name={user.username ?? user.email} />}
      </div>
      <div className="grid grid-cols-1 gap-4">
        <Orders orders={orders} older={{ id, after: older.orders }} />
        <Submissions submissions={submissions} older={{ id, after: older.submissions }} />
        <Mails mails={mails} own={user.email} older={{ id, after: older.mails }} />
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
            <Link className="link justify-self-start" to={href(`/admin/audit?who=${id}`)}>
              {messages.history.own}
            </Link>
          </IfAllowed>
        </PersonSection>
      </div>
    </div>
  );
}
