import type { ReactNode, RefObject } from 'react';
import { Link } from 'react-router';
import { amountInCoin } from '#app/lib/format/coins.ts';
import { cents, integer } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { PersonView } from '#contract/admin/people.ts';
import { useActionText } from '../audit/action-text.ts';
import { usePlanName } from '../kit/plan-name.ts';
import { IfAllowed, useRights } from '../kit/rights.tsx';
import { HoldVotes } from './HoldVotes.tsx';
import { PersonSection } from './PersonSection.tsx';
import { type OlderThan, useOlder } from './useOlder.tsx';

type Order = PersonView['orders'][number];

export function Orders({ orders, older }: { orders: Order[]; older: OlderThan<'orders'> }) {
  const messages = useText(adminPersonTexts).person.orders;
  const { rows, list, more } = useOlder('orders', messages.title, orders, older);
  return (
    <PersonSection title={messages.title}>
      {rows.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul ref={list} className="grid grid-cols-1 gap-2">
        {rows.map((order) => (
          <li key={order.requestId} className="admin-sub grid gap-1.5">
            <OrderLine order={order} />
          </li>
        ))}
      </ul>
      {more}
    </PersonSection>
  );
}

function OrderLine({ order }: { order: Order }) {
  const messages = useText(adminPersonTexts).person.orders;
  const { on } = useText(coinsTexts).coins;
  const locale = useLocale();
  const href = useHref();
  const texts = useActionText();
  const planName = usePlanName();
  const name = order.tokenName || messages.unnamed;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <strong className="min-w-0 wrap-anywhere">{name}</strong>
        <Badge>{planName(order.plan)}</Badge>
        {order.asGuest ? <Badge tone="sky">{messages.asGuest}</Badge> : null}
        {order.closedAs ? <Badge>{texts.value(order.closedAs, 'as')}</Badge> : null}
        <When iso={order.createdAt} className="text-sm text-quiet" />
        <ButtonLink
          size="sm"
          className="ml-auto"
          to={href(`/admin/token-creation?request=${order.requestId}`)}
          aria-label={messages.openOf(name)}
        >
          {messages.open}
        </ButtonLink>
      </div>
      {order.payments.length === 0 ? <p className="text-sm text-quiet">{messages.unpaid}</p> : null}
      <ul className="grid gap-1 text-sm">
        {order.payments.map((one) => (
          <li key={one.id} className="flex flex-wrap items-baseline gap-x-3">
            <code>{one.orderId}</code>
            <span>{texts.value(one.state, 'state')}</span>
            <span className="figures">
              {messages.paid(cents(one.receivedUsd, locale), integer(one.priceUsd, locale))}
            </span>
            {one.simulation ? <span className="text-quiet">{messages.simulation}</span> : null}
            <When iso={one.createdAt} className="text-quiet" />
          </li>
        ))}
        {order.refunds.map((one) => (
          <li key={one.number} className="flex flex-wrap items-baseline gap-x-3">
            <span>{messages.refund}</span>
            <code>{one.number}</code>
            <span>{texts.value(one.state, 'state')}</span>
            <span className="figures">{amountInCoin(one.amount, one.asset, locale, on)}</span>
            <When iso={one.createdAt} className="text-quiet" />
          </li>
        ))}
      </ul>
    </>
  );
}

interface SubmissionsProps extends Pick<PersonView, 'submissions'> {
  older: OlderThan<'submissions'>;
}

export function Submissions({ submissions, older }: SubmissionsProps) {
  const messages = useText(adminPersonTexts).person.submissions;
  const href = useHref();
  const texts = useActionText();
  const { rows, list, more } = useOlder('submissions', messages.title, submissions, older);
  return (
    <PersonSection title={messages.title}>
      {rows.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul ref={list} className="grid gap-2">
        {rows.map(({ id, reference, status, createdAt }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Link className="link" to={href(`/admin/submissions?open=${id}`)}>
              {reference ?? messages.open}
            </Link>
            <span>{texts.value(status, 'status')}</span>
            <When iso={createdAt} className="text-sm text-quiet" />
          </li>
        ))}
      </ul>
      {more}
    </PersonSection>
  );
}

const VOTE_TONES: Record<string, Tone> = { counted: 'mint', under_review: 'sky', void: 'coral' };

interface VotesProps extends Pick<PersonView, 'user' | 'votes'> {
  older: OlderThan<'votes'>;
}

export function Votes({ user, votes, older }: VotesProps) {
  const messages = useText(adminPersonTexts).person.votes;
  const locale = useLocale();
  const href = useHref();
  const { rows, list, more } = useOlder('votes', messages.title, votes.newest, older);
  return (
    <PersonSection title={messages.title}>
      <dl className="admin-facts">
        {(['counted', 'underReview', 'void'] as const).map((name) => (
          <div key={name}>
            <dt>{messages[name]}</dt>
            <dd className="figures">{integer(votes[name], locale)}</dd>
          </div>
        ))}
      </dl>
      {votes.counted > 0 ? (
        <IfAllowed call="voteReview.hold">
          <HoldVotes id={user.id} name={user.username ?? user.email} />
        </IfAllowed>
      ) : null}
      {rows.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul ref={list} className="grid grid-cols-1 gap-1.5">
        {rows.map(({ token, slug, state, at }) => (
          <li key={`${slug}${at}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Link className="link min-w-0 wrap-anywhere" to={href(`/token/${slug}/candidate`)}>
              {token}
            </Link>
            <Badge tone={VOTE_TONES[state]}>{messages.states[state as keyof typeof messages.states] ?? state}</Badge>
            <When iso={at} className="text-sm text-quiet" />
          </li>
        ))}
      </ul>
      {more}
    </PersonSection>
  );
}

interface TextsProps extends Pick<PersonView, 'posts' | 'comments'> {
  olderPosts: OlderThan<'posts'>;
  olderComments: OlderThan<'comments'>;
}

export function Texts({ posts, comments, olderPosts, olderComments }: TextsProps) {
  const messages = useText(adminPersonTexts).person.texts;
  const shownPosts = useOlder('posts', messages.postList, posts.newest, olderPosts);
  const shownComments = useOlder('comments', messages.commentList, comments.newest, olderComments);
  const lines = shownPosts.rows.map(({ id, title, ...post }) => ({ id, postId: id, text: title, ...post }));
  return (
    <PersonSection
      title={messages.title}
      hint={`${messages.posts(posts.count)} · ${messages.comments(comments.count)}`}
    >
      {posts.count + comments.count === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <TextList title={messages.postList} what="post" lines={lines} list={shownPosts.list} more={shownPosts.more} />
      <TextList
        title={messages.commentList}
        what="comment"
        lines={shownComments.rows}
        list={shownComments.list}
        more={shownComments.more}
      />
    </PersonSection>
  );
}

interface TextListProps {
  title: string;
  what: 'post' | 'comment';
  lines: PersonView['comments']['newest'];
  list: RefObject<HTMLUListElement | null>;
  more: ReactNode;
}

function TextList({ title, what, lines, list, more }: TextListProps) {
  const messages = useText(adminPersonTexts).person.texts;
  const href = useHref();
  const { may } = useRights();
  if (lines.length === 0) return null;
  return (
    <>
      <h3 className="text-base">{title}</h3>
      <ul ref={list} className="grid gap-1.5">
        {lines.map(({ id, postId, text, hidden, at }) => {
          // A hidden text has no public page: admins with the right to moderate get a link to its moderation.
          const path = hidden ? may('forum.list') && `/admin/forum?what=${what}&q=${id}` : `/forum/${postId}`;
          return (
            <li key={id} className="min-w-0">
              {path ? (
                <Link className="link wrap-anywhere" to={href(path)}>
                  {text}
                </Link>
              ) : (
                <span className="wrap-anywhere">{text}</span>
              )}{' '}
              {hidden ? <Badge tone="coral">{messages.hidden}</Badge> : null}{' '}
              <When iso={at} className="text-sm text-quiet" />
            </li>
          );
        })}
      </ul>
      {more}
    </>
  );
}
