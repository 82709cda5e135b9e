import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useNavigate } from 'react-router';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { authTexts } from '#app/lib/messages/auth.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Me } from '#contract/domains/auth.ts';
import { sessionChanged } from './auth.queries.ts';

/** For members with an earlier record: claims an admin invitation or an old forum profile. */
export function LinkForms() {
  const text = useText(authTexts);
  const href = useHref();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const done = (to: string) => async (me: Me) => {
    // Shown before anything is refetched: the change is done, whatever the network does next.
    notify.success(text.toast.linked);
    await sessionChanged(queries, me);
    await navigate(to);
  };
  const refused = (title: string) => (error: unknown) =>
    notify.failed(error, {
      title,
      text: codeOf(error) === 'UNAUTHORIZED' ? text.failure.NO_USER : failureText(error, text),
    });
  const toAdmin = done(href('/admin'));
  const admin = useMutation({
    // The lost response had this session's new token: UNAUTHORIZED may mean that it was linked.
    mutationFn: useRetryAfterLostAnswer<{ email: string }, Me | 'unknown'>(client.auth.linkAdmin, (refusal) =>
      codeOf(refusal) === 'UNAUTHORIZED' ? Promise.resolve('unknown') : undefined,
    ),
    onSuccess: async (me) => {
      if (me !== 'unknown') return toAdmin(me);
      notify.error({ title: text.toast.linkUnknown, text: text.toast.linkUnknownText });
      await sessionChanged(queries, null);
    },
    onError: refused(text.toast.linkAdminFailed),
  });
  const forum = useMutation(
    rpc.auth.linkForumUser.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onSuccess: done(href('/forum')),
      onError: refused(text.toast.linkForumFailed),
    }),
  );
  const submit = (send: (value: string) => void) => (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = String(new FormData(event.currentTarget).get('value') ?? '').trim();
    if (value) send(value);
  };
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <LinkForm
        title={text.auth.linkAdmin}
        label={text.auth.linkAdminEmail}
        type="email"
        busy={admin.isPending}
        onSubmit={submit((email) => admin.mutate({ email }))}
      />
      <LinkForm
        title={text.auth.linkForum}
        label={text.auth.linkForumId}
        type="text"
        busy={forum.isPending}
        onSubmit={submit((forumUserId) => forum.mutate({ forumUserId }))}
      />
    </div>
  );
}

interface LinkFormProps {
  title: string;
  label: string;
  type: 'email' | 'text';
  busy: boolean;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

function LinkForm({ title, label, type, busy, onSubmit }: LinkFormProps) {
  const text = useText(authTexts);
  return (
    <Card className="p-6">
      <h2 className="text-xl">{text.auth.linkHeading}</h2>
      <p className="mt-1 font-semibold text-quiet">{title}</p>
      <form
        onSubmit={onSubmit}
        noValidate
        className="mt-4 grid gap-4"
        aria-label={`${text.auth.linkHeading}: ${title}`}
      >
        <Field label={label} hint={text.auth.linkHint}>
          <Input name="value" type={type} autoComplete="off" maxLength={254} />
        </Field>
        <Button type="submit" busy={busy} busyLabel={text.auth.linking}>
          {text.auth.link}
        </Button>
      </form>
    </Card>
  );
}
