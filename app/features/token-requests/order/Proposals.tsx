import { useMutation, useQueryClient } from '@tanstack/react-query';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { proposalsTexts } from '#app/lib/messages/proposals.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Order, TokenProposal } from '#contract/domains/token-requests.ts';
import type { OrderRef } from './order.queries.ts';

const TONES: Record<TokenProposal['state'], Tone> = { open: 'coral', confirmed: 'mint', declined: 'neutral' };

/** Stages in which no answer makes a token. */
const OVER: readonly Order['stage'][] = ['closed', 'refunded'];

/** Questions of the team about the token, the payer's answers, and the token that is ordered. */
export function Proposals({ order, orderRef }: { order: Order; orderRef: OrderRef }) {
  const messages = useText(proposalsTexts).proposals;
  return (
    <>
      {order.proposals.map((proposal) => (
        <ProposalCard key={proposal.id} {...{ proposal, orderRef }} over={OVER.includes(order.stage)} />
      ))}
      {order.summary ? (
        <section aria-label={messages.ordered}>
          <Card className="p-5">
            <h2 className="text-xl">{messages.ordered}</h2>
            {/* On the chain nothing can be changed any more. */}
            {order.stage === 'created' ? null : <p className="mt-1 text-sm text-quiet">{messages.orderedHow}</p>}
            <Summary of={order.summary} />
          </Card>
        </section>
      ) : null}
    </>
  );
}

function Summary({ of }: { of: NonNullable<Order['summary']> }) {
  const messages = useText(proposalsTexts).proposals;
  const locale = useLocale();
  const { picture, metadata } = of;
  const rows: [string, string | null | undefined][] = [
    [messages.fields.network, messages.networks[of.network]],
    [messages.fields.ownerWallet, of.ownerWallet],
    [messages.fields.tokenName, of.tokenName],
    [messages.fields.tokenSymbol, of.tokenSymbol],
    [messages.supply, integer(BigInt(of.supply), locale)],
    [messages.decimals, String(of.decimals)],
    [messages.authorities, of.authorities && messages.nobody],
    [messages.description, metadata?.description],
    [messages.picture, picture || !metadata ? null : messages.noPicture],
    [messages.pictureHash, picture?.hash],
    [messages.metadataHash, metadata?.hash],
    [messages.hash, of.hash],
  ];
  return (
    <>
      {picture ? (
        <img
          src={picture.path}
          alt={messages.picture}
          width={96}
          height={96}
          className="mt-3 size-24 rounded-control object-cover"
        />
      ) : null}
      <dl className="mt-3 grid gap-2 text-sm">
        {rows.map(([name, value]) =>
          value ? (
            <div key={name} className="grid gap-x-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
              <dt className="text-quiet">{name}</dt>
              <dd className="figures wrap-anywhere">{value}</dd>
            </div>
          ) : null,
        )}
        {metadata ? (
          <div className="grid gap-x-4 sm:grid-cols-[12rem_minmax(0,1fr)]">
            <dt className="text-quiet">{messages.metadata}</dt>
            <dd>
              <a href={metadata.path} target="_blank" rel="noreferrer" className="underline">
                {messages.metadataFile}
              </a>
            </dd>
          </div>
        ) : null}
      </dl>
    </>
  );
}

interface ProposalCardProps {
  proposal: TokenProposal;
  orderRef: OrderRef;
  /** No answer is expected any more. */
  over: boolean;
}

function ProposalCard({ proposal, orderRef, over }: ProposalCardProps) {
  const text = useText(proposalsTexts, ordersTexts);
  const messages = text.proposals;
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: useRetryAfterLostAnswer<'confirmed' | 'declined', Order>(
      (decision) => client.tokenRequests.answerProposal({ ...orderRef, proposalId: proposal.id, answer: decision }),
      // Already answered: if the answer is the same, it came from the call whose response was lost.
      (refusal, decision) =>
        codeOf(refusal) === 'ALREADY_DONE'
          ? client.tokenRequests.order(orderRef).then((order) => {
              if (order.proposals.find(({ id }) => id === proposal.id)?.state !== decision) throw refusal;
              return order;
            })
          : undefined,
    ),
    onSuccess: (_, decision) => {
      notify.success({ title: messages.saved[decision] });
    },
    onError: (error) =>
      notify.failed(error, {
        title: messages.failed,
        text: codeOf(error) === 'ALREADY_DONE' ? messages.over : failureText(error, text),
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.tokenRequests.order.key() }),
  });
  const { state } = proposal;
  const waits = state === 'open' && !over;
  const kind = proposal.changed.length > 0 ? 'changed' : 'same';
  return (
    <section aria-label={messages.heading[kind]}>
      <Card className={`p-5 ${waits ? 'border-lead-text' : ''}`}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
          <h2 className="text-xl">{messages.heading[kind]}</h2>
          {waits || state !== 'open' ? <Badge tone={TONES[state]}>{messages.state[state]}</Badge> : null}
        </div>
        <p className="mt-2" role="status">
          {state !== 'open'
            ? messages.next[state]
            : waits
              ? messages.next[kind === 'same' ? 'same' : 'open']
              : messages.over}
        </p>
        {waits ? <p className="mt-1 text-sm text-quiet">{messages.how}</p> : null}
        <ul className="mt-2 grid gap-1 text-sm">
          {proposal.changed.map(({ field, paid }) => (
            <li key={field} className="wrap-anywhere">
              {messages.paid(messages.fields[field], paid)}
            </li>
          ))}
        </ul>
        {waits ? (
          <Summary of={proposal} />
        ) : (
          <details className="mt-2 text-sm">
            <summary className="w-fit cursor-pointer py-2.5 underline">{messages.details}</summary>
            <Summary of={proposal} />
          </details>
        )}
        {waits ? (
          <div className="mt-4 flex flex-wrap gap-2">
            <Button
              variant="primary"
              busy={answer.isPending && answer.variables === 'confirmed'}
              busyLabel={messages.saving}
              onClick={() => answer.mutate('confirmed')}
            >
              {messages.confirm}
            </Button>
            <Button
              busy={answer.isPending && answer.variables === 'declined'}
              busyLabel={messages.saving}
              onClick={() => answer.mutate('declined')}
            >
              {messages.decline}
            </Button>
          </div>
        ) : null}
        <p className="mt-3 text-sm text-quiet">
          {messages.proposed} <When iso={proposal.proposedAt} />
          {proposal.remindedAt && !proposal.answeredAt ? (
            <>
              {' · '}
              {messages.reminded} <When iso={proposal.remindedAt} />
            </>
          ) : null}
          {proposal.answeredAt ? (
            <>
              {' · '}
              {messages.answered} <When iso={proposal.answeredAt} />
            </>
          ) : null}
        </p>
      </Card>
    </section>
  );
}
