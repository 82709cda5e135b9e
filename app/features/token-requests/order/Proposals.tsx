import { useMutation, useQueryClient } from '@tanstack/react-query';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { ordersTexts } from '#app/lib/messages/orders.ts';
import { proposalsTexts } from '#app/lib/messages/proposals.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Order, TokenProposal } from '#contract/token-requests.ts';
import type { OrderRef } from './order.queries.ts';

const TONES: Record<TokenProposal['state'], Tone> = { open: 'coral', confirmed: 'mint', declined: 'neutral' };

/** What the team asks the payer about the token, what the payer answered, and what is ordered to be made. */
export function Proposals({ order, orderRef }: { order: Order; orderRef: OrderRef }) {
  const messages = useText(proposalsTexts).proposals;
  return (
    <>
      {order.proposals.map((proposal) => (
        <ProposalCard key={proposal.id} proposal={proposal} orderRef={orderRef} />
      ))}
      {order.summary ? (
        <section aria-label={messages.ordered}>
          <Card className="p-5">
            <h2 className="text-xl">{messages.ordered}</h2>
            <p className="mt-1 text-sm text-quiet">{messages.orderedHow}</p>
            <Summary of={order.summary} />
          </Card>
        </section>
      ) : null}
    </>
  );
}

function Summary({ of }: { of: NonNullable<Order['summary']> }) {
  const messages = useText(proposalsTexts).proposals;
  const rows: [string, string][] = [
    [messages.fields.network, messages.networks[of.network]],
    [messages.fields.ownerWallet, of.ownerWallet],
    [messages.fields.tokenName, of.tokenName],
    [messages.fields.tokenSymbol, of.tokenSymbol],
    [messages.supply, of.supply],
    [messages.decimals, String(of.decimals)],
    [messages.hash, of.hash],
  ];
  return (
    <dl className="mt-3 grid gap-1.5 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-3">
          <dt className="text-quiet">{name}</dt>
          <dd className="figures wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function ProposalCard({ proposal, orderRef }: { proposal: TokenProposal; orderRef: OrderRef }) {
  const text = useText(proposalsTexts, ordersTexts);
  const messages = text.proposals;
  const queries = useQueryClient();
  const answer = useMutation({
    mutationFn: (said: 'confirmed' | 'declined') =>
      client.tokenRequests.answerProposal({ ...orderRef, proposalId: proposal.id, answer: said }),
    onSuccess: (_, said) => {
      notify.success({ title: messages.said[said] });
    },
    onError: (error) =>
      notify.error({
        title: messages.failed,
        text: codeOf(error) === 'ALREADY_DONE' ? messages.over : failureText(error, text),
      }),
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.tokenRequests.order.key() }),
  });
  const { state } = proposal;
  return (
    <section aria-label={messages.heading}>
      <Card className={`p-5 ${state === 'open' ? 'border-lead-text' : ''}`}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5">
          <h2 className="text-xl">{messages.heading}</h2>
          <Badge tone={TONES[state]}>{messages.state[state]}</Badge>
        </div>
        <p className="mt-2" role="status">
          {messages.next[state]}
        </p>
        <ul className="mt-2 grid gap-1 text-sm">
          {proposal.changed.map(({ field, paid }) => (
            <li key={field} className="wrap-anywhere">
              {messages.paid(messages.fields[field], paid)}
            </li>
          ))}
        </ul>
        <Summary of={proposal} />
        {state === 'open' ? (
          <div className="mt-4 flex flex-wrap gap-2">
            <Button
              variant="primary"
              busy={answer.isPending && answer.variables === 'confirmed'}
              busyLabel={messages.saying}
              onClick={() => answer.mutate('confirmed')}
            >
              {messages.confirm}
            </Button>
            <Button
              busy={answer.isPending && answer.variables === 'declined'}
              busyLabel={messages.saying}
              onClick={() => answer.mutate('declined')}
            >
              {messages.decline}
            </Button>
          </div>
        ) : null}
        <p className="mt-3 text-sm text-quiet">
          {messages.asked} <When iso={proposal.proposedAt} />
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
