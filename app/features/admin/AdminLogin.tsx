import './facts.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { typed } from '#app/lib/forms/form.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { OtherLanguage } from '#app/lib/i18n/LanguageSwitch.tsx';
import { reopenLive } from '#app/lib/live/live.ts';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { SiteLogo } from '#app/lib/page/SiteLogo.tsx';
import { clearPersonalData } from '#app/lib/session/personal-data.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import type { Me } from '#contract/domains/auth.ts';
import { PASSWORD_MAX } from '#contract/limits.ts';
import { sessionQuery, useAdminAccess } from './admin.queries.ts';
import { dropStoredForms, hasStoredForm } from './kit/forms/stored-forms.ts';

/** The stored form of this tab does not change while the sign-in is shown, so there is nothing to subscribe to. */
const noChanges = () => () => {};

/** History state stored with the address of the sign-in. */
export interface LoginState {
  /** The screen whose session ended; after signing in the user returns to it. */
  from?: string;
}

interface AdminLoginProps {
  /** Requests the link for a new password. */
  forgot: (props: { email: string; onEmail: (email: string) => void; onBack: () => void }) => ReactNode;
  /** The form for the second of two steps. */
  secondStep: (props: { onBack: () => void; onDone: (me: Me) => unknown }) => ReactNode;
  /** Sign-in with a passkey, without a password. */
  passkey: (onDone: (me: Me) => unknown) => ReactNode;
}

/** The sign-in of the back office; a user without access to it is signed out again at once. */
export function AdminLogin({ forgot, secondStep, passkey }: AdminLoginProps) {
  const text = useText(adminTexts);
  const messages = text.admin.login;
  const href = useHref();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [step, setStep] = useState<'password' | 'link' | 'second'>('password');
  // What is typed stays when the step changes.
  const [mailbox, setMailbox] = useState('');
  const { session } = useAdminAccess();
  const { state } = useLocation() as { state: LoginState | null };
  const target = state?.from ?? href('/admin');

  useEffect(() => {
    // After signing in, and for users who are signed in already.
    if (session) void navigate(target, { replace: true });
  }, [session, navigate, target]);

  async function onSignedIn(me: Me | null) {
    if (!me) return notify.error({ title: messages.failed, text: messages.noUser });
    if (!me.isAdmin) {
      // Ends only the session that this sign-in created.
      await client.auth.signOut(undefined).catch(() => {});
      queries.setQueryData(rpc.auth.me.queryKey(), null);
      setStep('password');
      return notify.error({ title: messages.failed, text: messages.notAdmin });
    }
    dropStoredForms(me.email);
    reopenLive();
    queries.setQueryData(rpc.auth.me.queryKey(), me);
    await clearPersonalData(queries, me.id);
    // The guard reads this query and lets the user through.
    await queries.fetchQuery({ ...sessionQuery(), staleTime: 0 }).catch(() => {});
    notify.success({ title: messages.done, text: messages.welcome(me.email) });
  }
  const signIn = useMutation(rpc.auth.signIn.mutationOptions({ onSuccess: onSignedIn }));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const [email, password] = [typed(form, 'email').trim(), typed(form, 'password')];
    if (signIn.isPending) return;
    const refuse = (name: string, why: Parameters<typeof notify.error>[0]) => {
      (form.elements.namedItem(name) as HTMLElement | null)?.focus();
      notify.error(why);
    };
    if (!email || !password) return refuse(email ? 'password' : 'email', messages.required);
    if (!email.includes('@')) return refuse('email', messages.badEmail);
    signIn.mutate(
      { email, password },
      {
        onError: (error) => {
          const code = codeOf(error);
          if (code === 'SECOND_FACTOR_NEEDED') return setStep('second');
          const wrong = code === 'BAD_REQUEST' ? text.failure.INVALID_CREDENTIALS : failureText(error, text);
          notify.error({ title: messages.failed, text: wrong });
        },
      },
    );
  }
  const back = () => setStep('password');
  return (
    <div className="grid min-h-[100svh] grid-cols-1 place-content-center px-4 py-10">
      <title>{text.admin.title(messages.title)}</title>
      <div className="mx-auto w-full max-w-[26rem]">
        <LoginHead />
        <Card className="p-5 sm:p-7">
          <h1 className="text-[1.625rem]">{messages.title}</h1>
          <p className="mt-1.5 mb-5 text-quiet">{messages.lead}</p>
          {state?.from === undefined ? null : <SessionEnded />}
          {step === 'second' ? (
            secondStep({ onBack: back, onDone: onSignedIn })
          ) : step === 'link' ? (
            forgot({ email: mailbox, onEmail: setMailbox, onBack: back })
          ) : (
            <form
              method="post"
              action={href('/auth')}
              onSubmit={submit}
              noValidate
              aria-label={messages.title}
              className="grid gap-4"
            >
              <Field label={messages.email}>
                <Input
                  name="email"
                  type="email"
                  autoComplete="username"
                  inputMode="email"
                  defaultValue={mailbox}
                  onChange={({ target }) => setMailbox(target.value)}
                />
              </Field>
              <Field label={messages.password}>
                <Input name="password" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
              </Field>
              <Button type="submit" variant="primary" size="lg" busy={signIn.isPending} busyLabel={messages.busy}>
                {messages.submit}
              </Button>
              <Button
                variant="ghost"
                size="sm"
                onClick={({ currentTarget: { form } }) => {
                  if (form) setMailbox(typed(form, 'email').trim());
                  setStep('link');
                }}
              >
                {messages.forgot}
              </Button>
              {passkey(onSignedIn)}
            </form>
          )}
        </Card>
        <Link to={href('/auth')} className="link mt-3 inline-flex min-h-11 items-center text-sm">
          {messages.register}
        </Link>
      </div>
    </div>
  );
}

function LoginHead() {
  const href = useHref();
  return (
    <div className="mb-6 flex items-center justify-between gap-3">
      <Link to={href('/')} className="inline-flex min-h-11 items-center">
        <SiteLogo wordmark />
      </Link>
      <OtherLanguage />
    </div>
  );
}

/** Explains to an admin whose session ended why they have to sign in again. */
function SessionEnded() {
  const text = useText(adminTexts).admin;
  const stored = useSyncExternalStore(noChanges, hasStoredForm, () => false);
  return (
    <div role="status" className="admin-callout mb-5" data-tone="lead">
      <p className="font-semibold">{text.session.other}</p>
      <p>{stored ? text.login.endedStored : text.login.ended}</p>
    </div>
  );
}
