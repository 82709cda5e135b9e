import { Link } from 'react-router';
import { cents, integer } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { PersonView } from '#contract/admin/people.ts';
import { useActionText } from '../audit/action-text.ts';
import { usePlanName } from '../kit/plan-name.ts';
import { IfAllowed } from '../kit/rights.tsx';
import { HoldVotes } from './HoldVotes.tsx';
import { PersonSection } from './PersonSection.tsx';

type Order = PersonView['orders'][number];

export function Orders({ orders }: { orders: Order[] }) {
  const messages = useText(adminPersonTexts).person.orders;
  return (
    <PersonSection title={messages.title}>
      {orders.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul className="grid grid-cols-1 gap-2">
        {orders.map((order) => (
          <li key={order.requestId} className="admin-sub grid gap-1.5">
            <OrderLine order={order} />
          </li>
        ))}
      </ul>
    </PersonSection>
  );
}

function OrderLine({ order }: { order: Order }) {
  const messages = useText(adminPersonTexts).person.orders;
  const locale = useLocale();
  const href = useHref();
  const texts = useActionText();
  const planName = usePlanName();
  const name = order.tokenName || messages.unnamed;
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        <strong>{name}</strong>
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
            <When iso={one.createdAt} className="text-quiet" />
          </li>
        ))}
      </ul>
    </>
  );
}

export function Submissions({ submissions }: Pick<PersonView, 'submissions'>) {
  const messages = useText(adminPersonTexts).person.submissions;
  const href = useHref();
  const texts = useActionText();
  return (
    <PersonSection title={messages.title}>
      {submissions.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul className="grid gap-2">
        {submissions.map(({ id, reference, status, createdAt }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Link className="link" to={href(`/admin/submissions?open=${id}`)}>
              {reference ?? messages.open}
            </Link>
            <span>{texts.value(status, 'status')}</span>
            <When iso={createdAt} className="text-sm text-quiet" />
          </li>
        ))}
      </ul>
    </PersonSection>
  );
}

const VOTE_TONES: Record<string, Tone> = { counted: 'mint', under_review: 'sky', void: 'coral' };

export function Votes({ user, votes }: Pick<PersonView, 'user' | 'votes'>) {
  const messages = useText(adminPersonTexts).person.votes;
  const locale = useLocale();
  const href = useHref();
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
      {votes.newest.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul className="grid gap-1.5">
        {votes.newest.map(({ token, slug, state, at }) => (
          <li key={`${slug}${at}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Link className="link" to={href(`/token/${slug}/candidate`)}>
              {token}
            </Link>
            <Badge tone={VOTE_TONES[state]}>{messages.states[state as keyof typeof messages.states] ?? state}</Badge>
            <When iso={at} className="text-sm text-quiet" />
          </li>
        ))}
      </ul>
    </PersonSection>
  );
}

export function Texts({ posts, comments }: Pick<PersonView, 'posts' | 'comments'>) {
  const messages = useText(adminPersonTexts).person.texts;
  const href = useHref();
  const lines = [
    ...posts.newest.map(({ id, title, hidden, at }) => ({ id, postId: id, text: title, hidden, at })),
    ...comments.newest,
  ].sort((a, b) => b.at.localeCompare(a.at));
  return (
    <PersonSection
      title={messages.title}
      hint={`${messages.posts(posts.count)} · ${messages.comments(comments.count)}`}
    >
      {lines.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul className="grid gap-1.5">
        {lines.map(({ id, postId, text, hidden, at }) => (
          <li key={id} className="min-w-0">
            <Link className="link wrap-anywhere" to={href(`/forum/${postId}`)}>
              {text}
            </Link>{' '}
            {hidden ? <Badge tone="coral">{messages.hidden}</Badge> : null}{' '}
            <When iso={at} className="text-sm text-quiet" />
          </li>
        ))}
      </ul>
    </PersonSection>
  );
}
