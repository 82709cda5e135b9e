import { useMutation, useQueryClient } from '@tanstack/react-query';
import { codeOf } from '#app/lib/failure.ts';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { notify } from '#app/lib/notify.ts';
import { rpc } from '#app/lib/rpc.ts';
import { Badge } from '#app/ui/Badge.tsx';
import { Button } from '#app/ui/Button.tsx';
import { Checkbox, Field, Input } from '#app/ui/Field.tsx';
import type { AccountOverview } from '#contract/account.ts';
import { EMAIL_MAX, PASSWORD_MAX, USERNAME_MAX, USERNAME_MIN } from '#contract/limits.ts';
import { typed, useErrors, useFailed, useFailureText, useRefresh } from './account.queries.ts';
import { Part } from './Part.tsx';

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export function NamePart({ account }: { account: AccountOverview }) {
  const text = useText(accountTexts);
  const words = text.account.name;
  const queries = useQueryClient();
  const refresh = useRefresh();
  const failed = useFailed();
  const { errors, show } = useErrors<'username'>();
  const save = useMutation(
    rpc.account.setUsername.mutationOptions({
      onSuccess: async (me) => {
        queries.setQueryData(rpc.auth.me.queryKey(), me);
        notify.success({ title: words.done });
        await refresh();
      },
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
          const username = typed(form, 'username').trim();
          if (!username || save.isPending) return;
          if (username.length < USERNAME_MIN || username.length > USERNAME_MAX)
            return show(form, { username: text.field.username });
          show(form, {});
          save.mutate(
            { username },
            {
              onError: (error) => {
                const code = codeOf(error);
                if (code === 'USERNAME_TAKEN') show(form, { username: text.failure.USERNAME_TAKEN });
                else if (code === 'BAD_REQUEST') show(form, { username: text.field.username });
                else failed(error);
              },
            },
          );
        }}
      >
        <Field label={words.label} hint={words.hint} error={errors.username}>
          <Input name="username" autoComplete="username" maxLength={USERNAME_MAX} defaultValue={account.username} />
        </Field>
        <Button type="submit" className="justify-self-start" busy={save.isPending} busyLabel={text.account.saving}>
          {text.account.save}
        </Button>
      </form>
    </Part>
  );
}

export function EmailPart({ account }: { account: AccountOverview }) {
  const text = useText(accountTexts);
  const words = text.account.email;
  const locale = useLocale();
  const refresh = useRefresh();
  const failed = useFailed();
  const failureText = useFailureText();
  const { errors, show } = useErrors<'email' | 'password'>();
  const send = useMutation(
    rpc.account.sendVerification.mutationOptions({
      onSuccess: () => notify.success({ title: words.done, text: words.sent }),
      onError: failed,
    }),
  );
  const change = useMutation(
    rpc.account.changeEmail.mutationOptions({
      onSuccess: async () => {
        notify.success({ title: words.done, text: words.doneText });
        await refresh();
      },
    }),
  );
  return (
    <Part
      title={words.heading}
      badge={
        <Badge tone={account.emailVerified ? 'mint' : 'coral'}>
          {account.emailVerified ? words.verified : words.unverified}
        </Badge>
      }
    >
      <p className="break-all font-semibold">{account.email}</p>
      {account.emailVerified ? null : (
        <Button
          className="justify-self-start"
          busy={send.isPending}
          busyLabel={words.sending}
          onClick={() => send.mutate({ locale })}
        >
          {words.send}
        </Button>
      )}
      {account.pendingEmail ? (
        <p role="status" className="break-words text-sm text-quiet">
          {words.pending(account.pendingEmail)}
        </p>
      ) : null}
      <form
        noValidate
        className="grid gap-4 border-t border-line pt-4"
        aria-label={words.change}
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          const email = typed(form, 'email').trim();
          const password = typed(form, 'password');
          if (!email || !password || change.isPending) return;
          if (!EMAIL.test(email)) return show(form, { email: text.field.email });
          show(form, {});
          change.mutate(
            { email, password, locale },
            {
              onSuccess: () => form.reset(),
              onError: (error) => {
                const code = codeOf(error);
                if (code === 'WRONG_PASSWORD') show(form, { password: failureText(error) });
                else if (code === 'BAD_REQUEST') show(form, { email: text.field.email });
                else failed(error);
              },
            },
          );
        }}
      >
        <Field label={words.label} hint={words.hint} error={errors.email}>
          <Input name="email" type="email" autoComplete="email" inputMode="email" maxLength={EMAIL_MAX} />
        </Field>
        <Field label={text.account.password} error={errors.password}>
          <Input name="password" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
        </Field>
        <Button type="submit" className="justify-self-start" busy={change.isPending} busyLabel={words.sending}>
          {words.submit}
        </Button>
      </form>
    </Part>
  );
}

export function PresencePart({ account }: { account: AccountOverview }) {
  const words = useText(accountTexts).account.presence;
  const queries = useQueryClient();
  const failed = useFailed();
  const key = rpc.account.overview.queryKey();
  const set = useMutation(
    rpc.account.setPresence.mutationOptions({
      onMutate: ({ hide }) => queries.setQueryData(key, (old) => old && { ...old, hidePresence: hide }),
      onError: async (error) => {
        failed(error);
        await queries.invalidateQueries({ queryKey: key });
      },
    }),
  );
  return (
    <Part title={words.heading}>
      <Checkbox
        label={words.label}
        checked={account.hidePresence}
        onChange={(event) => set.mutate({ hide: event.target.checked })}
      />
    </Part>
  );
}
