import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { verifyAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';
import { EMAIL_FORM, EMAIL_MAX, PASSWORD_MAX, USERNAME_MAX, USERNAME_MIN } from '#contract/limits.ts';
import { AccountForm, useAccountForm } from './AccountForm.tsx';
import { AccountSection } from './AccountSection.tsx';
import { useFailed, useFailureText, useRefresh } from './account.queries.ts';

export function NamePart({ account }: { account: AccountOverview }) {
  const text = useText(accountTexts);
  const messages = text.account.name;
  const queries = useQueryClient();
  const refresh = useRefresh();
  const save = useMutation(
    rpc.account.setUsername.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onSuccess: async (me) => {
        queries.setQueryData(rpc.auth.me.queryKey(), me);
        notify.success({ title: messages.done });
        await refresh();
      },
    }),
  );
  const change = useAccountForm({
    call: save,
    fields: ['username'],
    input: ({ username }) => ({ username: username.trim() }),
    wrong: ({ username: { length } }) =>
      length < USERNAME_MIN || length > USERNAME_MAX ? { username: text.field.username } : {},
    refused: (code) => {
      if (code === 'USERNAME_TAKEN') return { username: text.failure.USERNAME_TAKEN };
      return code === 'BAD_REQUEST' ? { username: text.field.username } : undefined;
    },
  });
  return (
    <AccountSection title={messages.heading}>
      <AccountForm label={messages.heading} change={change}>
        <Field label={messages.label} hint={messages.hint} error={change.fieldErrors.username}>
          <Input name="username" autoComplete="username" maxLength={USERNAME_MAX} defaultValue={account.username} />
        </Field>
        <Button type="submit" className="justify-self-start" busy={change.busy} busyLabel={text.account.saving}>
          {text.account.save}
        </Button>
      </AccountForm>
    </AccountSection>
  );
}

export function EmailPart({ account }: { account: AccountOverview }) {
  const text = useText(accountTexts);
  const messages = text.account.email;
  const locale = useLocale();
  const refresh = useRefresh();
  const failed = useFailed();
  const failureText = useFailureText();
  const send = useMutation(
    rpc.account.sendVerification.mutationOptions({
      onSuccess: () => notify.success({ title: messages.done, text: messages.sent }),
      onError: (error) => failed(error, text.toast.mailUnanswered),
    }),
  );
  const save = useMutation(
    rpc.account.changeEmail.mutationOptions({
      mutationFn: (input) =>
        verifyAfterLostAnswer(
          () => client.account.changeEmail(input),
          async () => {
            const { pendingEmail } = await client.account.overview();
            return pendingEmail === input.email.toLowerCase() ? { ok: true as const } : undefined;
          },
        ),
      onSuccess: async () => {
        notify.success({ title: messages.done, text: messages.doneText });
        await refresh();
      },
    }),
  );
  const change = useAccountForm({
    call: save,
    fields: ['email', 'password'],
    input: ({ email, password }) => ({ email: email.trim(), password, locale }),
    wrong: ({ email }) => (EMAIL_FORM.test(email) ? {} : { email: text.field.email }),
    refused: (code, error) => {
      if (code === 'WRONG_PASSWORD') return { password: failureText(error) };
      return code === 'BAD_REQUEST' ? { email: text.field.email } : undefined;
    },
    lost: text.toast.mailUnanswered,
    emptied: true,
  });
  return (
    <AccountSection
      title={messages.heading}
      badge={
        <Badge tone={account.emailVerified ? 'mint' : 'coral'}>
          {account.emailVerified ? messages.verified : messages.unverified}
        </Badge>
      }
    >
      <p className="break-all font-semibold">{account.email}</p>
      {account.emailVerified ? null : (
        <Button
          className="justify-self-start"
          busy={send.isPending}
          busyLabel={messages.sending}
          onClick={() => send.mutate({ locale })}
        >
          {messages.send}
        </Button>
      )}
      {account.pendingEmail ? (
        <p role="status" className="break-words text-sm text-quiet">
          {messages.pending(account.pendingEmail)}
        </p>
      ) : null}
      <AccountForm
        label={messages.change}
        change={change}
        account={account}
        className="grid gap-4 border-t border-line pt-4"
      >
        <Field label={messages.label} hint={messages.hint} error={change.fieldErrors.email}>
          <Input name="email" type="email" autoComplete="email" inputMode="email" maxLength={EMAIL_MAX} />
        </Field>
        <Field label={text.account.password} error={change.fieldErrors.password}>
          <Input name="password" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
        </Field>
        <Button type="submit" className="justify-self-start" busy={change.busy} busyLabel={messages.sending}>
          {messages.submit}
        </Button>
      </AccountForm>
    </AccountSection>
  );
}

export function PresencePart({ account }: { account: AccountOverview }) {
  const messages = useText(accountTexts).account.presence;
  const queries = useQueryClient();
  const failed = useFailed();
  const key = rpc.account.overview.queryKey();
  const put = (hide: boolean) => queries.setQueryData(key, (old) => old && { ...old, hidePresence: hide });
  const set = useMutation(
    rpc.account.setPresence.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onMutate: ({ hide }) => put(hide),
      onError: async (error, { hide }) => {
        // Without a network the account cannot be read again.
        put(!hide);
        failed(error);
        await queries.invalidateQueries({ queryKey: key });
      },
    }),
  );
  return (
    <AccountSection title={messages.heading}>
      <Checkbox
        label={messages.label}
        checked={account.hidePresence}
        onChange={(event) => set.mutate({ hide: event.target.checked })}
      />
    </AccountSection>
  );
}
