import type { UseQueryResult } from '@tanstack/react-query';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import type { MailboxView } from '#contract/admin/mailboxes.ts';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';
import { Mails } from './Mails.tsx';
import { Orders, Submissions } from './PersonParts.tsx';

/** Orders, requests and mails of a mailbox that no account has confirmed; `named` is false when the address of the page has none. */
export function MailboxPage({ named, query }: { named: boolean; query: UseQueryResult<MailboxView> }) {
  const messages = useText(adminPersonTexts).person;
  const href = useHref();
  if (!named)
    return (
      <EmptyState
        scene={<SceneNotFound />}
        title={messages.mailbox.missing.title}
        text={messages.mailbox.missing.text}
        action={<ButtonLink to={href('/admin/people')}>{messages.gone.find}</ButtonLink>}
      />
    );
  if (!query.data)
    return (
      <LoadingOrError
        query={query}
        loading={messages.mailbox.loading}
        failed={messages.mailbox.loadFailed}
        placeholders={['h-40 rounded-card', 'h-40 rounded-card']}
        screen="users"
      />
    );
  const { address, account, orders, submissions, mails, older } = query.data;
  const toAccount = account ? (
    <ButtonLink to={href(`/admin/people/${account.id}`)}>{messages.mailbox.account(account.name)}</ButtonLink>
  ) : null;
  if (orders.length + submissions.length + mails.length === 0)
    return (
      <EmptyState
        scene={<SceneNotFound />}
        title={messages.mailbox.nothing.title}
        text={messages.mailbox.nothing.text}
        action={toAccount}
      />
    );
  return (
    <div className="grid grid-cols-1 gap-4 xl:grid-cols-2 xl:items-start">
      {toAccount ? <p className="xl:col-span-2">{toAccount}</p> : null}
      <div className="grid grid-cols-1 gap-4">
        <Orders orders={orders} older={{ address, after: older.orders }} />
        <Submissions submissions={submissions} older={{ address, after: older.submissions }} />
      </div>
      <Mails mails={mails} own={address} older={{ address, after: older.mails }} />
    </div>
  );
}
