import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { TokenApproval } from '#contract/admin/token-creation.ts';
import type { AdminTokenRequest } from '#contract/admin/token-requests.ts';
import type { TokenProposal } from '#contract/domains/token-requests.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { groupedDigits } from './money.ts';

/** Why the user may not order the token now: another admin's approval is missing; null when none is. */
export function missingApproval({ needed, given, otherAdmins }: TokenApproval): 'missing' | 'own' | 'alone' | null {
  if (!needed || given.some(({ mine }) => !mine)) return null;
  if (otherAdmins === 0) return 'alone';
  return given.length > 0 ? 'own' : 'missing';
}

/** The second admin's approval of a request: whether it is required, who gave it, and the button that gives it. */
export function ApprovalPart({ request }: { request: AdminTokenRequest }) {
  const messages = useText(adminCreationTexts).creation.approval;
  const locale = useLocale();
  const [confirming, setConfirming] = useState(false);
  const { approval } = request;
  const summary = request.proposals.find(({ id }) => id === approval.proposal?.id);
  if (!approval.needed && approval.given.length === 0) return null;
  const waits = missingApproval(approval);
  const open = request.notDeliverable === null && !isSigned(request);
  return (
    <section className="admin-sub grid grid-cols-1 gap-2" aria-label={messages.heading}>
      <header className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-[1.0625rem]">{messages.heading}</h3>
        <Badge tone={waits ? 'lead' : 'mint'}>{waits ? messages.waits : messages.there}</Badge>
      </header>
      <p className="text-sm text-quiet">
        {approval.needed
          ? approval.aboveUsd !== null && approval.amountUsd > approval.aboveUsd
            ? messages.above(
                groupedDigits(String(approval.amountUsd), locale),
                groupedDigits(String(approval.aboveUsd), locale),
              )
            : messages.always
          : messages.notNeeded}
      </p>
      {approval.given.map(({ by, mine: own, at }) => (
        <p key={`${by} ${at}`} className="text-sm">
          {own ? messages.byMe : messages.by(by ?? messages.someone)} · <When iso={at} />
        </p>
      ))}
      {open && waits ? (
        <p className="text-sm">{approval.proposal ? messages.why[waits] : messages.unconfirmed}</p>
      ) : null}
      {open && summary && waits === 'missing' ? (
        <Button size="sm" className="justify-self-start" onClick={() => setConfirming(true)}>
          {messages.approve}
        </Button>
      ) : null}
      {confirming && summary ? (
        <Question request={request} summary={summary} onClose={() => setConfirming(false)} />
      ) : null}
    </section>
  );
}

const isSigned = ({ creation }: AdminTokenRequest): boolean =>
  creation !== null && (creation.state === 'completed' || creation.attempts.length > 0);

interface QuestionProps {
  request: AdminTokenRequest;
  summary: TokenProposal;
  onClose: () => void;
}

/** The token to approve, exactly as its payer confirmed it. */
function Question({ request, summary, onClose }: QuestionProps) {
  const text = useText(adminTokenTexts, adminCreationTexts);
  const messages = text.creation.approval;
  const locale = useLocale();
  const failure = useAdminFailure('tokens');
  const withProof = useStepUp();
  const queries = useQueryClient();
  const { tokenName, tokenSymbol, network, supply, ownerWallet, hash, id } = summary;
  const facts: [string, string][] = [
    [messages.fields.token, `${tokenName} (${tokenSymbol})`],
    [messages.fields.network, text.tokenAdmin.create.networks[network]],
    [messages.fields.supply, groupedDigits(supply, locale)],
    [messages.fields.owner, ownerWallet],
    [messages.fields.hash, hash],
  ];
  return (
    <ConfirmDialog
      open
      harmless
      onClose={onClose}
      title={messages.title}
      text={messages.text}
      confirmLabel={messages.approve}
      busyLabel={messages.busy}
      onConfirm={async () => {
        try {
          await withProof(() =>
            client.admin.tokenRequests.approveToken({ requestId: request.id, proposalId: id, hash }),
          );
          notify.success({ title: messages.done, text: messages.doneText });
        } catch (error) {
          if (!(error instanceof Cancelled)) notify.failed(error, { title: messages.failed, text: failure(error) });
          throw error;
        } finally {
          await queries.invalidateQueries({ queryKey: rpc.admin.tokenRequests.key() });
        }
      }}
    >
      <dl className="admin-facts">
        {facts.map(([name, value]) => (
          <div key={name} className="admin-wide">
            <dt>{name}</dt>
            <dd className="figures [overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
      </dl>
    </ConfirmDialog>
  );
}
