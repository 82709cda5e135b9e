import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { AdminTokenRequest } from '#contract/admin/token-requests.ts';
import type { TokenProposal } from '#contract/domains/token-requests.ts';
import type { TokenInput } from '#contract/fields/token-form.ts';
import { requestNetworkOf } from '#contract/networks.ts';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { useStepUp } from '../kit/StepUp.tsx';

/** A token that its payer did not confirm, and the state of the question. */
export interface Unconfirmed {
  token: TokenInput;
  fields: string[];
  proposal: 'open' | 'declined' | null;
}

/** The data that the payer has to confirm before this token is created; null for every other error. */
export function unconfirmedOf(error: unknown, token: TokenInput): Unconfirmed | null {
  if (codeOf(error) !== 'PAYER_CONFIRMATION') return null;
  const { data } = error as { data?: Pick<Unconfirmed, 'fields' | 'proposal'> };
  return data ? { token, ...data } : null;
}

/**
 * The data that the payer still has to confirm, by the earlier questions of the request; null when exactly this is confirmed, or the
 * request is unknown. The server checks it again, with the description.
 */
export function unconfirmedIn(token: TokenInput, request: AdminTokenRequest | undefined): Unconfirmed | null {
  if (!request || request.notDeliverable !== null) return null;
  const same = (one: TokenProposal) =>
    one.network === token.network &&
    one.tokenName === token.tokenName &&
    one.tokenSymbol === token.tokenSymbol &&
    one.supply === String(BigInt(token.totalSupply)) &&
    one.ownerWallet.toLowerCase() === token.ownerWallet.toLowerCase();
  const last = request.proposals.find(({ state }) => state === 'confirmed');
  if (last && same(last)) return null;
  const existing = request.proposals.find(same);
  const differs = {
    network: request.network !== requestNetworkOf(token.network),
    ownerWallet: request.ownerWallet.toLowerCase() !== token.ownerWallet.toLowerCase(),
    tokenName: request.tokenName !== token.tokenName,
    tokenSymbol: request.tokenSymbol !== token.tokenSymbol,
  };
  return {
    token,
    fields: Object.entries(differs).flatMap(([name, other]) => (other ? [name] : [])),
    proposal: existing?.state === 'open' || existing?.state === 'declined' ? existing.state : null,
  };
}

interface ProposeTokenProps {
  /** Null when no order was refused for it. */
  refused: Unconfirmed | null;
  onProposed: (now: Unconfirmed) => void;
}

/** The differing data, and the question to the payer. */
export function ProposeToken({ refused, onProposed }: ProposeTokenProps) {
  return refused ? <Question refused={refused} onProposed={onProposed} /> : null;
}

function Question({ refused, onProposed }: ProposeTokenProps & { refused: Unconfirmed }) {
  const messages = useText(adminCreationTexts).creation.payer;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const withProof = useStepUp();
  const propose = useMutation({
    mutationFn: (withoutPicture: boolean) =>
      withProof(() => client.admin.tokenRequests.proposeToken({ ...refused.token, withoutPicture })),
    onSuccess: () => {
      notify.success({ title: messages.done });
      onProposed({ ...refused, proposal: 'open' });
      return queries.invalidateQueries({ queryKey: rpc.admin.tokenRequests.key() });
    },
    onError: (error) => {
      if (error instanceof Cancelled) return;
      if (codeOf(error) === 'IMAGE_NOT_FETCHED') return setPictureless(true);
      notify.failed(error, {
        title: messages.failed,
        text: codeOf(error) === 'ALREADY_DONE' ? messages.there : failure(error),
      });
    },
  });
  const [pictureless, setPictureless] = useState(false);
  const names = refused.fields.map((field) => messages.fields[field] ?? field).join(', ');
  return (
    <div className="admin-callout mt-4" data-tone="lead" role="alert">
      <p className="font-semibold">{names ? messages.heading(names) : messages.unasked}</p>
      <p className="text-sm">{messages.state[refused.proposal ?? 'none']}</p>
      {pictureless ? <p className="mt-1 text-sm text-coral-text">{messages.picture}</p> : null}
      {refused.proposal === 'open' ? null : (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button
            size="sm"
            busy={propose.isPending && !propose.variables}
            busyLabel={messages.busy}
            onClick={() => propose.mutate(false)}
          >
            {messages.propose}
          </Button>
          {pictureless ? (
            <Button
              size="sm"
              busy={propose.isPending && propose.variables}
              busyLabel={messages.busy}
              onClick={() => propose.mutate(true)}
            >
              {messages.without}
            </Button>
          ) : null}
        </div>
      )}
    </div>
  );
}
