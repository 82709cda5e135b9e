import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client } from '#app/lib/api/rpc.ts';
import { typed } from '#app/lib/forms/form.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { isDismissed, knowsPasskeys, signByPasskey } from '#app/lib/session/passkey.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';
import { PASSWORD_MAX } from '#contract/limits.ts';
import { useFailureText } from './account.queries.ts';

interface StepUpFormProps {
  account: AccountOverview;
  onDone: () => void;
  onCancel: () => void;
}

/** Step-up form, in place of the content that waits for it: password, code, or a passkey if there is one. */
export function StepUpForm({ account, onDone, onCancel }: StepUpFormProps) {
  const text = useText(accountTexts);
  const messages = text.account.passkeys;
  const failureText = useFailureText();
  const form = useRef<HTMLFormElement>(null);
  const [wrong, setWrong] = useState('');
  const kind = account.secondFactor || account.passkeys > 0 ? 'code' : 'password';
  useEffect(() => {
    form.current?.querySelector('input')?.focus();
  }, []);
  const prove = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSuccess: () => {
      notify.success({ title: messages.proved });
      onDone();
    },
    onError: (error) => {
      if (isDismissed(error)) return;
      setWrong(codeOf(error) === 'BAD_REQUEST' ? text.failure.WRONG_CODE : failureText(error));
      form.current?.querySelector('input')?.focus();
    },
  });
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const given = typed(event.currentTarget, 'proof');
    if (!given || prove.isPending) return;
    setWrong('');
    const code = given.trim();
    prove.mutate(() =>
      client.account.prove(
        kind === 'password' ? { password: given } : { code: /^[\d\s]+$/.test(code) ? code.replace(/\s/g, '') : code },
      ),
    );
  }
  return (
    <form ref={form} noValidate onSubmit={submit} aria-label={messages.proof} className="grid gap-4">
      <p role="status">{messages.proof}</p>
      <Field label={kind === 'password' ? messages.proofPassword : messages.proofCode} error={wrong}>
        {kind === 'password' ? (
          <Input name="proof" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
        ) : (
          <Input name="proof" autoComplete="one-time-code" autoCapitalize="off" spellCheck={false} maxLength={40} />
        )}
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={prove.isPending} busyLabel={messages.proving}>
          {messages.prove}
        </Button>
        {account.passkeys > 0 && knowsPasskeys() ? (
          <Button
            onClick={() =>
              prove.mutate(async () => {
                const options = await client.account.passkeys.startProof(undefined);
                await client.account.passkeys.prove({ response: await signByPasskey(options) });
              })
            }
          >
            {messages.proveByPasskey}
          </Button>
        ) : null}
        <Button variant="ghost" onClick={onCancel}>
          {text.account.cancel}
        </Button>
      </div>
    </form>
  );
}
