import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import type { FormEvent } from 'react';
import { Link } from 'react-router';
import { rpc } from '#app/lib/api/rpc.ts';
import { useTyped } from '#app/lib/forms/useTyped.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { SEARCH_MAX } from '#contract/limits.ts';
import { LoadError } from '../kit/LoadError.tsx';
import { IfAllowed } from '../kit/rights.tsx';
import { useQueryParameters } from '../kit/useQueryParameters.ts';
import { Mailbox } from './Mailbox.tsx';

/** Finds a person by any name or number; the query is a parameter of the address. */
export function PeopleFinder() {
  const messages = useText(adminPersonTexts).person;
  const { parameters, set } = useQueryParameters();
  const q = parameters.get('q')?.trim().slice(0, SEARCH_MAX) ?? '';
  // The back button shows the earlier query.
  const [typed, setTyped] = useTyped(q);
  function search(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    set({ q: typed.trim() || null });
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <form onSubmit={search} aria-label={messages.find} className="admin-panel flex flex-wrap items-end gap-3">
        <Field label={messages.search} hint={messages.searchHint} className="min-w-0 flex-1 basis-64">
          <Input
            name="q"
            type="search"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
            maxLength={SEARCH_MAX}
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Button type="submit" variant="primary" className="sm:mt-7 sm:mb-auto">
          <Search aria-hidden="true" />
          {messages.find}
        </Button>
      </form>
      {q.length < 2 ? (
        <EmptyState scene={<SceneEmptyStage />} title={messages.start.title} text={messages.start.text} />
      ) : (
        <Found q={q} />
      )}
    </div>
  );
}

function Found({ q }: { q: string }) {
  const messages = useText(adminPersonTexts).person;
  const href = useHref();
  const people = useQuery(rpc.admin.people.find.queryOptions({ input: { q } }));
  const mailboxes = useQuery(rpc.admin.mailboxes.find.queryOptions({ input: { q } }));
  const failed = people.isError ? people : mailboxes;
  if (!people.data || !mailboxes.data)
    return failed.isError ? (
      <LoadError what={messages.findFailed} of={failed} />
    ) : (
      <SkeletonGroup label={messages.finding} className="grid gap-2">
        <Skeleton className="h-14 rounded-card" />
        <Skeleton className="h-14 rounded-card" />
      </SkeletonGroup>
    );
  if (people.data.length + mailboxes.data.length === 0)
    return (
      <EmptyState
        scene={<SceneNotFound />}
        title={messages.nobody.title}
        text={messages.nobody.text}
        action={
          <IfAllowed call="tokenRequests.list">
            <ButtonLink to={href(`/admin/token-creation?${new URLSearchParams({ q })}`)}>
              {messages.inOrders}
            </ButtonLink>
          </IfAllowed>
        }
      />
    );
  return (
    <div className="grid grid-cols-1 gap-4">
      {people.data.length > 0 ? (
        <ul className="grid grid-cols-1 gap-2">
          {people.data.map(({ id, email, username, by }) => (
            <li key={id}>
              <Link
                to={href(`/admin/people/${id}`)}
                className="admin-panel flex flex-wrap items-baseline gap-x-3 gap-y-1"
              >
                <strong>{username ?? messages.noName}</strong>
                <span className="min-w-0 wrap-anywhere">
                  <Mailbox email={email} />
                </span>
                <span className="text-sm text-quiet">{messages.foundBy[by]}</span>
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {mailboxes.data.length > 0 ? (
        <section aria-label={messages.mailbox.found}>
          <h2 className="mb-2 text-lg">{messages.mailbox.found}</h2>
          <ul className="grid grid-cols-1 gap-2">
            {mailboxes.data.map(({ address, by }) => (
              <li key={address}>
                <Link
                  to={href(`/admin/mailbox?${new URLSearchParams({ address })}`)}
                  className="admin-panel flex flex-wrap items-baseline gap-x-3 gap-y-1"
                >
                  <strong className="min-w-0 wrap-anywhere">
                    <Mailbox email={address} />
                  </strong>
                  <span className="text-sm text-quiet">{messages.mailbox.foundBy[by]}</span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </div>
  );
}
