import { useMutation } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { retryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { forgetDrafts } from '#app/lib/session/drafts.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';
import { PASSWORD_MAX } from '#contract/limits.ts';
import { AccountForm, useAccountForm } from './AccountForm.tsx';
import { AccountSection } from './AccountSection.tsx';
import { download, useFailed, useFailureText } from './account.queries.ts';

/** Export of the account's data, and its deletion. `onRemoved` runs once the account is deleted. */
export function DataPart({ account, onRemoved }: { account: AccountOverview; onRemoved: () => unknown }) {
  const text = useText(accountTexts);
  const messages = text.account.data;
  const failed = useFailed();
  const [confirming, setConfirming] = useState(false);
  const take = useMutation({
    mutationFn: () => client.account.export(),
    onSuccess: (data) => download('florka.json', 'application/json', JSON.stringify(data, null, 2)),
    onError: failed,
  });
  return (
    <>
      <AccountSection title={messages.heading}>
        <p className="text-quiet">{messages.exportText}</p>
        <Button
          className="justify-self-start"
          busy={take.isPending}
          busyLabel={messages.exporting}
          onClick={() => take.mutate()}
        >
          {messages.export}
        </Button>
      </AccountSection>
      <AccountSection title={messages.removeHeading} danger>
        <p>{messages.removeText}</p>
        <Button variant="danger" className="justify-self-start" onClick={() => setConfirming(true)}>
          <Trash2 aria-hidden="true" />
          {messages.remove}
        </Button>
        <Removal account={account} open={confirming} onOpenChange={setConfirming} onRemoved={onRemoved} />
      </AccountSection>
    </>
  );
}

interface RemovalProps {
  account: AccountOverview;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onRemoved: () => unknown;
}

function Removal({ account, open, onOpenChange, onRemoved }: RemovalProps) {
  const text = useText(accountTexts);
  const messages = text.account.removal;
  const failureText = useFailureText();
  const remove = useMutation(
    rpc.account.remove.mutationOptions({
      mutationFn: (input) =>
        retryAfterLostAnswer(
          () => client.account.remove(input),
          // UNAUTHORIZED after a lost response: the account was deleted with its session.
          (refusal) => (codeOf(refusal) === 'UNAUTHORIZED' ? { ok: true } : undefined),
        ),
      onSuccess: () => {
        notify.success({ title: messages.done });
        forgetDrafts();
        return onRemoved();
      },
    }),
  );
  const change = useAccountForm({
    call: remove,
    fields: ['password'],
    input: ({ password }) => ({ password }),
    refused: (code, error) =>
      code === 'STEP_UP_NEEDED'
        ? undefined
        : { password: code === 'BAD_REQUEST' ? text.failure.WRONG_PASSWORD : failureText(error) },
  });
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onOpenChange={(next) => {
        change.forget();
        onOpenChange(next);
      }}
      title={messages.heading}
      description={messages.text}
    >
      <AccountForm label={messages.heading} change={change} account={account} className="">
        <Field label={text.account.password} error={change.fieldErrors.password}>
          <Input name="password" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
        </Field>
        <div className="dialog-actions">
          <Button onClick={() => onOpenChange(false)}>{text.account.cancel}</Button>
          <Button type="submit" variant="danger" busy={change.busy} busyLabel={messages.removing}>
            {messages.submit}
          </Button>
        </div>
      </AccountForm>
    </Dialog>
  );
}
