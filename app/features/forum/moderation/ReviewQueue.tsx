import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { failureText } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { removalTexts } from '#app/lib/messages/removals.ts';
import { reviewTexts } from '#app/lib/messages/review.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Section } from '#app/ui/layout/Page.tsx';
import type { RemovalRule } from '#contract/domains/forum.ts';
import type { TextOfMember } from '#contract/domains/forum-review.ts';
import { REMOVAL_REASON_MIN } from '#contract/limits.ts';
import { closedAction } from '../forum.queries.ts';
import RemovalReason from './RemovalReason.tsx';
import { reviewQueueQuery } from './review.queries.ts';
import { TrustPanel } from './TrustPanel.tsx';
import { DueBy, WaitingNotice } from './WaitingTexts.tsx';

/** For moderators and admins: texts that wait for a review, oldest first, and a member's level of trust. */
export default function ReviewQueue() {
  const text = useText(reviewTexts, forumTexts, forumMemberTexts);
  const href = useHref();
  const { data, error } = useQuery(reviewQueueQuery());
  // Closed until the moderator's account meets a requirement: says which, and links to it.
  const closed = closedAction(error, text);
  if (closed)
    return (
      <Section title={text.review.queue}>
        <p role="alert" className="mb-3">
          {closed.text}
        </p>
        <ButtonLink to={href(closed.to)} variant="primary">
          {closed.link}
        </ButtonLink>
      </Section>
    );
  return (
    <>
      <Section title={text.review.queue}>
        {error && !data ? (
          <p role="alert">
            {text.review.unread}. {failureText(error, text)}
          </p>
        ) : null}
        {data?.items.length === 0 ? <p className="text-quiet">{text.review.queueEmpty}</p> : null}
        <ul className="grid gap-4">
          {data?.items.map((item) => (
            <li key={item.id}>
              <Waiting item={item} />
            </li>
          ))}
        </ul>
        {data?.more ? <p className="mt-3 text-quiet">{text.review.queueMore}</p> : null}
      </Section>
      <TrustPanel />
    </>
  );
}

function Waiting({ item }: { item: TextOfMember }) {
  const text = useText(reviewTexts, removalTexts);
  const messages = text.review;
  const queries = useQueryClient();
  const [declining, setDeclining] = useState(false);
  const [because, setBecause] = useState<{ rule: RemovalRule | ''; reason: string }>({ rule: '', reason: '' });
  const texts = {
    onError: (error: unknown) => notify.failed(error, { title: messages.failed, text: failureText(error, text) }),
    // Declined texts appear in the log below.
    onSettled: () =>
      Promise.all(
        [rpc.forum.reviewQueue.key(), rpc.forum.removalLog.key()].map((queryKey) =>
          queries.invalidateQueries({ queryKey }),
        ),
      ),
  };
  const release = useMutation(
    rpc.forum.release.mutationOptions({ ...texts, onSuccess: () => notify.success({ title: messages.released }) }),
  );
  const decline = useMutation(
    rpc.forum.decline.mutationOptions({ ...texts, onSuccess: () => notify.success({ title: messages.declined }) }),
  );
  const { rule } = because;
  const reason = because.reason.trim();
  return (
    <article className="card p-4" aria-label={item.title}>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge>{text.removals.kinds[item.what]}</Badge>
        <bdi className="font-semibold wrap-anywhere">{messages.by(item.username, item.level)}</bdi>
        <Badge tone="lead">{messages.staffWhy[item.why]}</Badge>
        <DueBy at={item.dueAt} />
      </p>
      <WaitingNotice text={item} />
      {declining ? (
        <div className="mt-3 grid gap-3">
          <RemovalReason value={because} onChange={setBecause} />
          <div className="flex flex-wrap gap-2">
            <Button
              variant="primary"
              disabled={!rule || reason.length < REMOVAL_REASON_MIN}
              busy={decline.isPending}
              onClick={() => rule && decline.mutate({ id: item.id, rule, reason })}
            >
              {messages.declineOf(item.title)}
            </Button>
            <Button variant="ghost" onClick={() => setDeclining(false)}>
              {messages.cancel}
            </Button>
          </div>
        </div>
      ) : (
        <div className="mt-3 flex flex-wrap gap-2">
          <Button
            variant="primary"
            aria-label={messages.releaseOf(item.title)}
            busy={release.isPending}
            onClick={() => release.mutate({ id: item.id })}
          >
            {messages.release}
          </Button>
          <Button aria-label={messages.declineOf(item.title)} onClick={() => setDeclining(true)}>
            {messages.decline}
          </Button>
        </div>
      )}
    </article>
  );
}
