import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import type { Locale } from '#app/lib/format/format.ts';
import { typed } from '#app/lib/forms/form.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { authTexts } from '#app/lib/messages/auth.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import type { Me } from '#contract/domains/auth.ts';
import { EMAIL_FORM } from '#contract/limits.ts';
import { EmailField } from './EmailField.tsx';

interface StepProps {
  label: string;
  lead: ReactNode;
  /** Where the server answers the form until the scripts have arrived. */
  action?: string;
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  children: ReactNode;
}

/** A step that replaced another: its text is announced and its field has the focus. */
function Step({ label, lead, action, onSubmit, children }: StepProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    form.current?.querySelector('input')?.focus();
  }, []);
  return (
    <form
      ref={form}
      method="post"
      action={action}
      onSubmit={onSubmit}
      noValidate
      aria-label={label}
      className="grid gap-4"
    >
      <p role="status" className="text-quiet">
        {lead}
      </p>
      {children}
    </form>
  );
}

/** A button that looks like a line of text. */
export function TextButton({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <button type="button" className="link min-h-11 justify-self-start text-left text-sm" onClick={onClick}>
      {children}
    </button>
  );
}

interface EmailStepProps extends Pick<StepProps, 'label' | 'lead'> {
  email: string;
  /** Keeps what is typed for the other steps. */
  onEmail: (email: string) => void;
  /** Label of the button. */
  submit: string;
  call: { isPending: boolean; mutate(input: { email: string; locale: Locale }): void };
  onBack: () => void;
}

/** Asks for the email address of a mail. */
function EmailStep({ label, lead, email, onEmail, submit, call, onBack }: EmailStepProps) {
  const text = useText(authTexts);
  const locale = useLocale();
  const [wrong, setWrong] = useState('');
  return (
    <Step
      label={label}
      lead={lead}
      onSubmit={(event) => {
        event.preventDefault();
        const given = typed(event.currentTarget, 'email').trim();
        if (!given || call.isPending) return;
        const bad = !EMAIL_FORM.test(given);
        setWrong(bad ? text.field.email : '');
        if (bad) event.currentTarget.querySelector('input')?.focus();
        else call.mutate({ email: given, locale });
      }}
    >
      <EmailField error={wrong} defaultValue={email} onChange={(event) => onEmail(event.target.value)} />
      <Button type="submit" variant="primary" size="lg" busy={call.isPending} busyLabel={text.auth.sending}>
        {submit}
      </Button>
      <TextButton onClick={onBack}>{text.auth.back}</TextButton>
    </Step>
  );
}

interface ForgotProps extends Pick<EmailStepProps, 'email' | 'onEmail'> {
  onBack: () => void;
}

/** Requests a link to set a new password; the response is the same whether or not there is an account. */
export function ForgotForm({ email, onEmail, onBack }: ForgotProps) {
  const text = useText(authTexts);
  const request = useMutation(
    rpc.account.requestPasswordReset.mutationOptions({
      onError: (error) =>
        notify.failed(
          error,
          { title: text.toast.unexpected, text: failureText(error, text) },
          text.toast.mailUnanswered,
        ),
    }),
  );
  return (
    <EmailStep
      label={text.auth.forgot}
      lead={request.isSuccess ? text.auth.sentLink : text.auth.forgotLead}
      email={email}
      onEmail={onEmail}
      submit={text.auth.sendLink}
      call={request}
      onBack={onBack}
    />
  );
}

interface CodeProps extends ForgotProps {
  onDone: (me: Me) => unknown;
  onSecondStep: () => void;
}

/** Mails a code, then signs in with it. */
export function CodeForm({ email, onEmail, onBack, onDone, onSecondStep }: CodeProps) {
  const text = useText(authTexts);
  const [sentTo, setSentTo] = useState('');
  const [wrong, setWrong] = useState('');
  const request = useMutation(
    rpc.account.requestSignInCode.mutationOptions({
      onSuccess: (_, { email: to }) => setSentTo(to),
      onError: (error) =>
        notify.failed(
          error,
          { title: text.toast.unexpected, text: failureText(error, text) },
          text.auth.codeUnanswered,
        ),
    }),
  );
  const enter = useMutation(rpc.account.signInWithCode.mutationOptions({ onSuccess: onDone }));
  if (!sentTo)
    return (
      <EmailStep
        label={text.auth.useCode}
        lead={text.auth.codeLead}
        email={email}
        onEmail={onEmail}
        submit={text.auth.sendCode}
        call={request}
        onBack={onBack}
      />
    );
  return (
    <Step
      label={text.auth.useCode}
      lead={text.auth.sentCode(sentTo)}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const code = typed(event.currentTarget, 'code').trim().replace(/\s/g, '');
        if (!code || enter.isPending) return;
        setWrong('');
        enter.mutate(
          { email: sentTo, code },
          {
            onError: (error) => {
              if (codeOf(error) === 'SECOND_FACTOR_NEEDED') return onSecondStep();
              setWrong(codeOf(error) === 'BAD_REQUEST' ? text.failure.WRONG_CODE : failureText(error, text));
              form.querySelector('input')?.focus();
            },
          },
        );
      }}
    >
      <Field label={text.auth.code} error={wrong}>
        <Input name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={12} required />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={enter.isPending} busyLabel={text.auth.signingIn}>
        {text.auth.signIn}
      </Button>
      <TextButton
        onClick={() => {
          setWrong('');
          setSentTo('');
        }}
      >
        {text.auth.otherCode}
      </TextButton>
    </Step>
  );
}

interface SecondStepProps {
  /** The alternative with a passkey. */
  passkey?: ReactNode;
  onBack: () => void;
  onDone: (me: Me) => unknown;
}

/** The second factor of signing in: a code of the app, or a recovery code. */
export function SecondStepForm({ passkey, onBack, onDone }: SecondStepProps) {
  const text = useText(authTexts);
  const href = useHref();
  const [wrong, setWrong] = useState('');
  const provide = useMutation(rpc.account.provideSecondFactor.mutationOptions({ onSuccess: onDone }));
  return (
    <Step
      label={text.auth.secondStep}
      action={href('/auth')}
      lead={text.auth.secondLead}
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const code = typed(event.currentTarget, 'code').trim();
        if (!code || provide.isPending) return;
        setWrong('');
        provide.mutate(
          { code: /^[\d\s]+$/.test(code) ? code.replace(/\s/g, '') : code },
          {
            onError: (error) => {
              if (codeOf(error) === 'UNAUTHORIZED') {
                notify.error({ title: text.toast.signInFailed, text: text.toast.secondStepOver });
                return onBack();
              }
              setWrong(codeOf(error) === 'BAD_REQUEST' ? text.failure.WRONG_CODE : failureText(error, text));
              form.querySelector('input')?.focus();
            },
          },
        );
      }}
    >
      <Field label={text.auth.code} error={wrong}>
        <Input
          name="code"
          autoComplete="one-time-code"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={40}
          required
        />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={provide.isPending} busyLabel={text.auth.checking}>
        {text.auth.continue}
      </Button>
      {passkey}
      <TextButton onClick={onBack}>{text.auth.back}</TextButton>
    </Step>
  );
}
