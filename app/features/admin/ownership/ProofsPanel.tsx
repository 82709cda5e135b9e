import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleX, RefreshCw } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { typed } from '#app/lib/forms/form.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminOwnershipTexts } from '#app/lib/messages/admin/ownership.ts';
import { ownershipTexts } from '#app/lib/messages/ownership.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { Field, Input, Select } from '#app/ui/controls/Field.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { AdminProof } from '#contract/admin/ownership.ts';
import type { ProofInfo, PublishedMethod } from '#contract/domains/ownership.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { useWithdrawBulk } from './useWithdrawBulk.tsx';

/** Methods that staff can begin for a creator: only the creator's wallet signs. */
const METHODS = ['dns', 'file'] as const;
const TONES: Record<AdminProof['state'], Tone> = { pending: 'lead', valid: 'mint', ended: 'neutral' };

/** Messages for a refused check, one for each reason. */
function useRefusal() {
  const failure = useAdminFailure();
  const { why, impossible } = useText(ownershipTexts).ownership;
  const reasonTexts: Partial<Record<string, string>> = { ...impossible, ...why };
  return (error: unknown) => {
    const reason = (error as { data?: { why?: unknown } }).data?.why;
    return (typeof reason === 'string' && reasonTexts[reason]) || failure(error);
  };
}

function useColumns(): Column<AdminProof>[] {
  const messages = useText(adminOwnershipTexts).adminOwnership;
  const proofWords = useText(ownershipTexts).ownership;
  const locale = useLocale();
  return [
    {
      key: 'token',
      header: messages.token,
      sort: 'tokenName',
      lead: true,
      cell: ({ tokenName, tokenSymbol }) => `${tokenName} ($${tokenSymbol})`,
    },
    {
      key: 'method',
      header: messages.method,
      cell: ({ method }) => <span className="whitespace-nowrap">{proofWords.method[method]}</span>,
    },
    {
      key: 'subject',
      collapsible: 'line',
      header: messages.subject,
      cell: (proof) => (
        <span className="wrap-anywhere">
          {proof.subject}
          {proof.state === 'pending' && proof.place && proof.content ? (
            <code className="block text-xs text-quiet">{messages.publish(proof.place, proof.content)}</code>
          ) : null}
        </span>
      ),
    },
    {
      key: 'state',
      header: messages.state,
      cell: ({ state, failures, endReason }) => (
        <span>
          <Badge tone={TONES[state]}>{proofWords.state[state]}</Badge>
          {state === 'valid' && failures > 0 ? (
            <span className="block text-sm text-coral-text">{proofWords.failing(failures)}</span>
          ) : null}
          {endReason ? <span className="block text-sm text-quiet">{proofWords.ended[endReason]}</span> : null}
        </span>
      ),
    },
    {
      key: 'proven',
      header: messages.proven,
      sort: 'provenAt',
      cell: ({ provenAt }) => (provenAt ? dateTime(provenAt, locale) : ''),
    },
    {
      key: 'expires',
      header: messages.expires,
      sort: 'expiresAt',
      cell: ({ expiresAt, state }) => (expiresAt && state === 'valid' ? dateTime(expiresAt, locale) : ''),
    },
    {
      key: 'started',
      collapsible: 'line',
      header: messages.started,
      sort: 'startedAt',
      cell: ({ startedAt, startedBy }) => `${dateTime(startedAt, locale)} · ${startedBy ?? messages.nobody}`,
    },
  ];
}

/** Proofs of verified creators: the form above begins one for a creator, the list checks and withdraws them. */
export function ProofsPanel({ list }: { list: AdminList<AdminProof> }) {
  const messages = useText(adminOwnershipTexts).adminOwnership;
  const proofWords = useText(ownershipTexts).ownership;
  const refusal = useRefusal();
  const queries = useQueryClient();
  const withProof = useStepUp();
  const [requested, setRequested] = useState<AdminProof | null>(null);
  const refresh = () => queries.invalidateQueries({ queryKey: rpc.admin.ownership.key() });
  const check = useMutation({
    mutationFn: ({ id }: AdminProof) => client.admin.ownership.check({ id }),
    onSuccess: () => notify.success({ title: messages.toast.checked }),
    onError: (error) => notify.failed(error, { title: messages.toast.notFound, text: refusal(error) }),
    onSettled: refresh,
  });
  const withdraw = useMutation({
    mutationFn: (input: { id: string; reason: string }) => withProof(() => client.admin.ownership.withdraw(input)),
    onSuccess: () => notify.success({ title: messages.toast.withdrawn }),
    onError: (error) => {
      if (!(error instanceof Cancelled))
        notify.failed(error, { title: messages.toast.withdrawFailed, text: refusal(error) });
    },
    onSettled: refresh,
  });
  const columns = useColumns();
  const { bulk, dialogs } = useWithdrawBulk(refresh);
  return (
    <>
      <StartForm onDone={refresh} />
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={({ tokenName }) => tokenName}
        filters={
          <ListSelect
            list={list}
            name="state"
            label={messages.state}
            options={[
              ['', messages.all],
              ...(Object.keys(TONES) as AdminProof['state'][]).map(
                (state) => [state, proofWords.state[state]] as const,
              ),
            ]}
          />
        }
        bulk={bulk}
        actions={(proof) =>
          proof.state === 'ended' ? null : (
            <>
              {proof.method === 'wallet' ? null : (
                <IconButton size="sm" label={messages.check(proof.tokenName)} onClick={() => check.mutate(proof)}>
                  <RefreshCw aria-hidden="true" />
                </IconButton>
              )}
              <IconButton size="sm" label={messages.withdraw(proof.tokenName)} onClick={() => setRequested(proof)}>
                <CircleX aria-hidden="true" />
              </IconButton>
            </>
          )
        }
      />
      {dialogs}
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={messages.withdraw(requested?.tokenName ?? '')}
        text={messages.withdrawText}
        confirmLabel={messages.withdrawConfirm}
        busyLabel={messages.withdrawBusy}
        reason="required"
        onConfirm={async (reason) => {
          if (requested) await withdraw.mutateAsync({ id: requested.id, reason });
        }}
      />
    </>
  );
}

/** The slug in the URL of a token page, or the typed text. */
const slugIn = (text: string): string => /\/token\/([^/?#]+)/.exec(text)?.[1] ?? text.trim();

function StartForm({ onDone }: { onDone: () => Promise<unknown> }) {
  const messages = useText(adminOwnershipTexts).adminOwnership;
  const proofWords = useText(ownershipTexts).ownership;
  const refusal = useRefusal();
  const [wrong, setWrong] = useState<string | undefined>();
  const form = useRef<HTMLFormElement>(null);
  /** The focus makes screen readers read the reason. */
  const refuse = (reason: string) => {
    setWrong(reason);
    form.current?.querySelector('input')?.focus();
  };
  const start = useMutation({
    mutationFn: async ({ slug, method }: { slug: string; method: PublishedMethod }): Promise<ProofInfo> => {
      const { kind, id } = await client.tokens.find({ slug });
      return client.admin.ownership.start({ kind, id, method });
    },
    onSuccess: (proof) => {
      notify.success({
        title: messages.toast.started,
        text: messages.publish(proof.place ?? '', proof.content ?? ''),
      });
      return onDone();
    },
    onError: (error) => {
      const missing = (error as { code?: unknown }).code === 'NOT_FOUND';
      refuse(missing ? messages.tokenIdNeeded : refusal(error));
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const slug = slugIn(typed(event.currentTarget, 'token'));
    if (!slug) return refuse(messages.tokenIdNeeded);
    setWrong(undefined);
    if (!start.isPending)
      start.mutate({ slug, method: typed(event.currentTarget, 'method') === 'file' ? 'file' : 'dns' });
  }
  return (
    <section className="admin-panel">
      <h2>{messages.startHeading}</h2>
      <p className="text-sm text-quiet">{messages.startLead}</p>
      <form
        ref={form}
        noValidate
        onSubmit={submit}
        aria-label={messages.startHeading}
        className="mt-3 grid grid-cols-1 items-start gap-x-4 gap-y-3 md:grid-cols-[2fr_1fr_auto]"
      >
        <Field label={messages.tokenId} hint={messages.tokenIdHint} error={wrong}>
          <Input name="token" autoComplete="off" maxLength={400} />
        </Field>
        <Field label={messages.method}>
          <Select name="method" defaultValue="dns">
            {METHODS.map((method) => (
              <option key={method} value={method}>
                {proofWords.method[method]}
              </option>
            ))}
          </Select>
        </Field>
        <Button type="submit" className="md:mt-7" busy={start.isPending} busyLabel={messages.starting}>
          {messages.start}
        </Button>
      </form>
    </section>
  );
}
