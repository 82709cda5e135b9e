import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminRefundsTexts } from '#app/lib/messages/admin/refunds.ts';
import { adminClosingTexts } from '#app/lib/messages/admin/token-creation/close-part.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input, Select, Textarea } from '#app/ui/controls/Field.tsx';
import { closeForm } from '#contract/admin/forms/token-requests.ts';
import type { AdminTokenRequest } from '#contract/admin/token-requests.ts';
import { useRefusal } from '../deliverables/refusals.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import { FormDialog } from '../kit/forms/FormDialog.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { useAdminForm } from '../kit/forms/useAdminForm.ts';
import { useCloseAfterSave } from '../kit/forms/useCloseAfterSave.ts';
import { useStepUp } from '../kit/StepUp.tsx';

/** How a paid request ends without a token of the signer: the form that closes it, or the note of its closure. */
export function ClosePart({ request }: { request: AdminTokenRequest }) {
  const messages = useText(adminClosingTexts).closing;
  const locale = useLocale();
  const [confirming, setConfirming] = useState(false);
  useReopenedForm<{ id: string }>('closeRequest', (of) => setConfirming(of?.id === request.id));
  const { closure, closable } = request;
  if (!closure && !closable) return null;
  return (
    <section className="grid grid-cols-1 justify-items-start gap-3">
      <h3 className="text-[1.0625rem]">{messages.heading}</h3>
      {closure ? (
        <div className="admin-sub grid w-full gap-2">
          <p className="font-semibold">{messages.closedAs(messages.kinds[closure.as], dateTime(closure.at, locale))}</p>
          <p className="whitespace-pre-line wrap-anywhere">{closure.note}</p>
          {closure.address ? <p className="figures wrap-anywhere">{closure.address}</p> : null}
          <Reopen id={request.id} />
        </div>
      ) : (
        <>
          <p className="text-sm text-quiet">{messages.text}</p>
          <Button onClick={() => setConfirming(true)}>{messages.close}</Button>
        </>
      )}
      {confirming ? <CloseForm id={request.id} onClose={() => setConfirming(false)} /> : null}
    </section>
  );
}

function Reopen({ id }: { id: string }) {
  const messages = useText(adminClosingTexts).closing;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const reopen = useMutation({
    mutationFn: () => client.admin.tokenRequests.reopen({ id }),
    onSuccess: () => notify.success({ title: messages.reopened }),
    onError: (error) => notify.failed(error, { title: messages.reopenFailed, text: failure(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.admin.key() }),
  });
  return (
    <>
      <Button size="sm" className="justify-self-start" onClick={() => setConfirming(true)}>
        {messages.reopen}
      </Button>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={messages.reopenTitle}
        text={messages.reopenText}
        confirmLabel={messages.reopen}
        busyLabel={messages.reopening}
        harmless
        onConfirm={() => reopen.mutateAsync()}
      />
    </>
  );
}

function CloseForm({ id, onClose }: { id: string; onClose: () => void }) {
  const messages = useText(adminClosingTexts).closing;
  const refunds = useText(adminRefundsTexts).adminRefunds;
  const refusal = useRefusal();
  const saved = useCloseAfterSave(onClose);
  const withProof = useStepUp();
  const form = useAdminForm({
    initial: { as: 'delivered' as string, address: '', note: '', refund: 'all' as string },
    schema: closeForm,
    messages: { address: messages.addressNeeded, note: messages.noteNeeded },
    fieldErrors: (error) => (codeOf(error) === 'ADDRESS_INVALID' ? { address: messages.addressInvalid } : {}),
    failed: (error) => ({ title: messages.closeFailed, text: refusal(error) }),
    screen: 'tokens',
    stored: { form: 'closeRequest', record: { id } },
    submit: async ({ as, address, note, refund }) => {
      const contract = as === 'delivered' ? address : '';
      await withProof(() => client.admin.tokenRequests.close({ id, as, address: contract, note, refund }));
      await saved(messages.closed);
    },
  });
  return (
    <FormDialog
      form={form}
      open
      onClose={onClose}
      title={messages.close}
      submitLabel={messages.confirm}
      busyLabel={messages.busy}
      fieldNames={{
        as: messages.as,
        address: messages.address,
        note: messages.note,
        refund: refunds.closeRefund,
      }}
    >
      <Field label={messages.as}>
        <Select {...form.text('as')}>
          {closeForm.shape.as.options.map((kind) => (
            <option key={kind} value={kind}>
              {messages.kinds[kind]}
            </option>
          ))}
        </Select>
      </Field>
      {form.values.as === 'delivered' ? (
        <Field label={messages.address} error={form.errors.address}>
          <Input {...form.text('address')} className="figures" autoComplete="off" spellCheck={false} />
        </Field>
      ) : (
        <Field label={refunds.closeRefund}>
          <Select {...form.text('refund')}>
            <option value="all">{refunds.closeAll}</option>
            <option value="none">{refunds.closeNone}</option>
          </Select>
        </Field>
      )}
      <Field label={messages.note} hint={messages.noteHint} error={form.errors.note}>
        <Textarea {...form.text('note')} rows={4} />
      </Field>
    </FormDialog>
  );
}
