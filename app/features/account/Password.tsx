import { useMutation } from '@tanstack/react-query';
import { codeOf, wrongFields } from '#app/lib/failure.ts';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { authTexts } from '#app/lib/messages/auth.ts';
import { notify } from '#app/lib/notify.ts';
import { rpc } from '#app/lib/rpc.ts';
import { Button } from '#app/ui/Button.tsx';
import { Field, Input } from '#app/ui/Field.tsx';
import type { AccountOverview } from '#contract/account.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import { typed, useErrors, useFailed, useRefresh } from './account.queries.ts';
import { Part } from './Part.tsx';

export function PasswordPart({ account }: { account: AccountOverview }) {
  const text = useText(accountTexts, authTexts);
  const words = text.account.newPassword;
  const locale = useLocale();
  const refresh = useRefresh();
  const failed = useFailed();
  const { errors, show } = useErrors<'current' | 'next'>();
  const change = useMutation(
    rpc.account.changePassword.mutationOptions({
      onSuccess: async () => {
        notify.success({ title: words.done, text: words.doneText });
        await refresh();
      },
    }),
  );
  const forgot = useMutation(
    rpc.account.requestPasswordReset.mutationOptions({
      onSuccess: () => notify.success({ title: text.account.email.done, text: words.sent }),
      onError: failed,
    }),
  );
  return (
    <Part title={words.heading}>
      <form
        noValidate
        className="grid gap-4"
        aria-label={words.heading}
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const current = typed(form, 'current');
          const next = typed(form, 'next');
          if (!current || !next || change.isPending) return;
          if (next.length < PASSWORD_MIN) return show(form, { next: text.field.passwordShort });
          show(form, {});
          change.mutate(
            { current, next, locale },
            {
              onSuccess: () => form.reset(),
              onError: (error) => {
                if (codeOf(error) === 'WRONG_PASSWORD') show(form, { current: text.failure.WRONG_PASSWORD });
                else if (wrongFields(error).includes('next')) show(form, { next: text.field.passwordShort });
                else failed(error);
              },
            },
          );
        }}
      >
        {/* Tells password managers whose password this is. */}
        <input type="email" autoComplete="username" value={account.email} readOnly hidden />
        <Field label={words.current} error={errors.current}>
          <Input name="current" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
        </Field>
        <Field label={words.next} hint={text.auth.passwordHint} error={errors.next}>
          <Input name="next" type="password" autoComplete="new-password" maxLength={PASSWORD_MAX} />
        </Field>
        <Button type="submit" className="justify-self-start" busy={change.isPending} busyLabel={text.account.saving}>
          {words.submit}
        </Button>
      </form>
      <button
        type="button"
        className="link min-h-11 justify-self-start text-left text-sm"
        aria-busy={forgot.isPending || undefined}
        onClick={() => forgot.isPending || forgot.mutate({ email: account.email, locale })}
      >
        {words.forgot}
      </button>
    </Part>
  );
}
