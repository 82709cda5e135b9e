import { useMutation, useQuery } from '@tanstack/react-query';
import { codeOf, wrongFields } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { fullDateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { authTexts } from '#app/lib/messages/auth.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import { AccountForm, useAccountForm } from './AccountForm.tsx';
import { AccountSection } from './AccountSection.tsx';
import { useFailed, useRefresh } from './account.queries.ts';

export function PasswordPart({ account }: { account: AccountOverview }) {
  const text = useText(accountTexts, authTexts);
  const messages = text.account.newPassword;
  const locale = useLocale();
  const refresh = useRefresh();
  const me = useQuery(rpc.auth.me.queryOptions({ enabled: false })).data;
  const staff = me != null && me.role !== 'user';
  const failed = useFailed();
  const save = useMutation(
    rpc.account.changePassword.mutationOptions({
      mutationFn: useRetryAfterLostAnswer(client.account.changePassword, (refusal, { next }) => {
        // The lost response had the session's new token: signing in with the new password shows whether the change arrived.
        if (!['UNAUTHORIZED', 'WRONG_PASSWORD'].includes(codeOf(refusal))) return undefined;
        const changed = { ok: true as const };
        return client.auth.signIn({ email: account.email, password: next }).then(
          () => changed,
          (error) => {
            if (codeOf(error) === 'SECOND_FACTOR_NEEDED') return changed;
            throw refusal;
          },
        );
      }),
      onSuccess: async () => {
        notify.success({ title: messages.done, text: messages.doneText });
        await refresh();
      },
    }),
  );
  const change = useAccountForm({
    call: save,
    fields: ['current', 'next'],
    input: ({ current, next }) => ({ current, next, locale }),
    wrong: ({ next }) => (next.length < PASSWORD_MIN ? { next: text.field.passwordShort } : {}),
    refused: (code, error) => {
      if (code === 'WRONG_PASSWORD') return { current: text.failure.WRONG_PASSWORD };
      if (
        code === 'PASSWORD_COMMON' ||
        code === 'PASSWORD_OWN' ||
        code === 'PASSWORD_SHORT' ||
        code === 'PASSWORD_UNCHANGED'
      )
        return { next: text.failure[code] };
      return wrongFields(error).includes('next') ? { next: text.field.passwordShort } : undefined;
    },
    emptied: true,
  });
  const forgot = useMutation(
    rpc.account.requestPasswordReset.mutationOptions({
      onSuccess: () => notify.success({ title: text.account.email.done, text: messages.sent }),
      onError: (error) => failed(error, text.toast.mailUnanswered),
    }),
  );
  return (
    <AccountSection
      name="password"
      title={messages.heading}
      {...(account.passwordUntil ? { lead: messages.until(fullDateTime(account.passwordUntil, locale)) } : {})}
    >
      <AccountForm label={messages.heading} change={change} account={account}>
        {/* Identifies the account of this password for password managers. */}
        <input type="email" autoComplete="username" value={account.email} readOnly hidden />
        <Field label={messages.current} error={change.fieldErrors.current}>
          <Input name="current" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
        </Field>
        <Field
          label={messages.next}
          hint={staff ? text.auth.staffPasswordHint : text.auth.passwordHint}
          error={change.fieldErrors.next}
        >
          <Input name="next" type="password" autoComplete="new-password" maxLength={PASSWORD_MAX} />
        </Field>
        <Button type="submit" className="justify-self-start" busy={change.busy} busyLabel={text.account.saving}>
          {messages.submit}
        </Button>
      </AccountForm>
      <button
        type="button"
        className="link min-h-11 justify-self-start text-left text-sm"
        aria-busy={forgot.isPending || undefined}
        onClick={() => forgot.isPending || forgot.mutate({ email: account.email, locale })}
      >
        {messages.forgot}
      </button>
    </AccountSection>
  );
}
