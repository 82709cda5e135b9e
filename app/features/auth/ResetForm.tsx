import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client } from '#app/lib/api/rpc.ts';
import { typed } from '#app/lib/forms/form.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { authTexts } from '#app/lib/messages/auth.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { PASSWORD_MAX, PASSWORD_MIN } from '#contract/limits.ts';
import { sessionChanged } from './auth.queries.ts';

/** Sets a new password with the token of a mail. */
export function ResetForm({ token }: { token: string }) {
  const text = useText(authTexts);
  const messages = text.auth.reset;
  const href = useHref();
  const locale = useLocale();
  const queries = useQueryClient();
  const [wrong, setWrong] = useState('');
  const reset = useMutation({
    // A link works once: the refusal of the second call does not show whether the first one arrived.
    mutationFn: useRetryAfterLostAnswer<Parameters<typeof client.account.resetPassword>[0], 'done' | 'unknown'>(
      (input) => client.account.resetPassword(input).then(() => 'done'),
      (refusal) => (codeOf(refusal) === 'TOKEN_REFUSED' ? Promise.resolve('unknown') : undefined),
    ),
    // All sessions of the account end. That of this browser remains when it is another account's.
    onSuccess: async () => sessionChanged(queries, await client.auth.me().catch(() => null)),
  });
  if (reset.isSuccess)
    return (
      <EmptyState
        role="status"
        title={reset.data === 'unknown' ? messages.unknown : messages.done}
        text={reset.data === 'unknown' ? messages.unknownText : messages.doneText}
        action={
          <ButtonLink to={href('/auth')} variant="primary">
            {text.auth.signIn}
          </ButtonLink>
        }
      />
    );
  if (!token || (reset.isError && codeOf(reset.error) === 'TOKEN_REFUSED'))
    return (
      <EmptyState
        role="alert"
        scene={<SceneNotFound />}
        title={messages.refused}
        text={messages.refusedText}
        action={
          <ButtonLink to={href('/auth')} variant="primary">
            {text.auth.forgot}
          </ButtonLink>
        }
      />
    );
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const password = typed(form, 'password');
    if (!password || reset.isPending) return;
    const short = password.length < PASSWORD_MIN;
    setWrong(short ? text.field.passwordShort : '');
    if (short) return form.querySelector('input')?.focus();
    reset.mutate(
      { token, password, locale },
      {
        onError: (error) => {
          const code = codeOf(error);
          if (code === 'TOKEN_REFUSED') return;
          if (
            code === 'PASSWORD_COMMON' ||
            code === 'PASSWORD_OWN' ||
            code === 'PASSWORD_SHORT' ||
            code === 'PASSWORD_UNCHANGED'
          ) {
            setWrong(text.failure[code]);
            form.querySelector('input')?.focus();
            return;
          }
          notify.failed(error, { title: text.toast.unexpected, text: failureText(error, text) });
        },
      },
    );
  }
  return (
    <Card className="max-w-lg p-6">
      {/* Sent before the scripts have arrived, the password must not get into the address. */}
      <form method="post" onSubmit={submit} noValidate aria-label={messages.heading} className="grid gap-4">
        <Field label={messages.password} hint={text.auth.passwordHint} error={wrong}>
          <Input name="password" type="password" autoComplete="new-password" maxLength={PASSWORD_MAX} required />
        </Field>
        <Button type="submit" variant="primary" size="lg" busy={reset.isPending} busyLabel={messages.saving}>
          {messages.submit}
        </Button>
      </form>
    </Card>
  );
}
