import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, lazy, Suspense, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { withChallenge } from '#app/lib/api/challenge.ts';
import { codeOf, failureText, wrongFields } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { type FieldErrors, typed, useFieldErrors } from '#app/lib/forms/form.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { authTexts } from '#app/lib/messages/auth.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { useSignInReturn } from '#app/lib/session/sign-in-return.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Checkbox, Field, Input } from '#app/ui/controls/Field.tsx';
import type { Me } from '#contract/domains/auth.ts';
import { EMAIL_FORM, PASSWORD_MAX, PASSWORD_MIN, USERNAME_MAX } from '#contract/limits.ts';
import { cleanName, isPublicName, suggestedName } from '#contract/text/names.ts';
import { SIGN_IN_FAILED_PARAMETER, SIGN_IN_FAILURES } from '#contract/text/sign-in-address.ts';
import { sessionChanged } from './auth.queries.ts';
import { EmailField } from './EmailField.tsx';
import { PasskeySecondStep, PasskeySignIn } from './PasskeySignIn.tsx';
import { CodeForm, ForgotForm, SecondStepForm, TextButton } from './steps.tsx';

type FieldName = 'email' | 'password' | 'username';

/** After sign-in and sign-up: updates the session everywhere, shows a greeting, and returns to the previous page, else home. */
function useArrival(notice: { title: string; text?: string }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const href = useHref();
  const text = useText();
  const back = useSignInReturn();
  return async (me: Me) => {
    await sessionChanged(queries, me);
    // Staff sets up the second factor first; when the account can't be loaded now, calls that need it refuse.
    const account = me.role === 'user' ? null : await client.account.overview(undefined).catch(() => null);
    if (account?.secondFactorNeeded) {
      notify.success({ title: notice.title, text: text.failure.SECOND_FACTOR_REQUIRED });
      return navigate(href('/account'));
    }
    notify.success(notice);
    await navigate(href(back?.returnTo ?? '/'), { state: back });
  };
}

/** The current form: password, reset mail, code, wallet, or the second factor. */
type SignInMethod = 'password' | 'forgot' | 'code' | 'wallet' | 'second';

// With the wallet code, which is not needed before the button is pressed.
const WalletSignIn = lazy(() => loadWithRetry(() => import('./WalletSignIn.tsx')));

/**
 * All methods of signing in.
 * @param onDone replaces the greeting and the navigation home.
 */
export function SignIn({ onDone }: { onDone?: (me: Me) => unknown }) {
  const text = useText(authTexts);
  const arrive = useArrival(text.toast.welcome);
  const queries = useQueryClient();
  const failed = useRefusedForm();
  const [method, setMethod] = useState<SignInMethod>(
    failed === 'SECOND_FACTOR_NEEDED' || failed === 'WRONG_CODE' ? 'second' : 'password',
  );
  // The email is preserved when the method changes.
  const [email, setEmail] = useState('');
  const back = () => setMethod('password');
  const done = onDone
    ? async (me: Me) => {
        await sessionChanged(queries, me);
        onDone(me);
      }
    : arrive;
  const emailField = { email, onEmail: setEmail };
  if (method === 'forgot') return <ForgotForm {...emailField} onBack={back} />;
  if (method === 'code')
    return <CodeForm {...emailField} onBack={back} onDone={done} onSecondStep={() => setMethod('second')} />;
  if (method === 'wallet')
    return (
      <Suspense>
        <WalletSignIn onBack={back} onDone={done} onSecondStep={() => setMethod('second')} />
      </Suspense>
    );
  if (method === 'second')
    return (
      <>
        <RefusedForm failed={failed} />
        <SecondStepForm passkey={<PasskeySecondStep onDone={done} />} onBack={back} onDone={done} />
      </>
    );
  return (
    <div className="grid gap-1">
      <RefusedForm failed={failed} />
      <SignInForm {...emailField} onDone={done} onSecondStep={() => setMethod('second')} />
      <TextButton onClick={() => setMethod('forgot')}>{text.auth.forgot}</TextButton>
      <TextButton onClick={() => setMethod('code')}>{text.auth.useCode}</TextButton>
      <PasskeySignIn onDone={done} />
      <TextButton onClick={() => setMethod('wallet')}>{text.auth.useWallet}</TextButton>
    </div>
  );
}

/** Why the server refused the form that was sent before the scripts of the page had arrived; undefined when it did not. */
function useRefusedForm() {
  const [parameters] = useSearchParams();
  return SIGN_IN_FAILURES.find((one) => one === parameters.get(SIGN_IN_FAILED_PARAMETER));
}

function RefusedForm({ failed }: { failed: ReturnType<typeof useRefusedForm> }) {
  const text = useText();
  // The second step says itself what it is for.
  if (!failed || failed === 'SECOND_FACTOR_NEEDED') return null;
  return (
    <p role="alert" className="mb-4 rounded-control border border-edge bg-panel px-4 py-2.5">
      {failed === 'SECOND_STEP_OVER' ? text.toast.secondStepOver : text.failure[failed]}
    </p>
  );
}

interface SignInFormProps {
  email: string;
  onEmail: (email: string) => void;
  onDone: (me: Me) => unknown;
  onSecondStep: () => void;
}

function SignInForm({ email: before, onEmail, onDone, onSecondStep }: SignInFormProps) {
  const text = useText(authTexts);
  const href = useHref();
  const { fieldErrors, show } = useFieldErrors<FieldName>();
  const signIn = useMutation(rpc.auth.signIn.mutationOptions({ ...IDEMPOTENT_RETRY, onSuccess: onDone }));

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const email = typed(form, 'email').trim();
    const password = typed(form, 'password');
    if (!email || !password || signIn.isPending) return;
    if (!EMAIL_FORM.test(email)) return show(form, { email: text.field.email });
    show(form, {});
    signIn.mutate(
      { email, password },
      {
        onError: (error) => {
          if (wrongFields(error).includes('email')) show(form, { email: text.field.email });
          const code = codeOf(error);
          if (code === 'SECOND_FACTOR_NEEDED') return onSecondStep();
          const title = code === 'UNEXPECTED' || code === 'OFFLINE' ? text.toast.unexpected : text.toast.signInFailed;
          notify.error({ title, text: failureText(error, text) });
        },
      },
    );
  }
  return (
    // The server answers it too, until the scripts have arrived.
    <form
      method="post"
      action={href('/auth')}
      onSubmit={submit}
      noValidate
      aria-label={text.auth.signInTab}
      className="grid gap-4"
    >
      <EmailField error={fieldErrors.email} defaultValue={before} onChange={(event) => onEmail(event.target.value)} />
      <Field label={text.auth.password} error={fieldErrors.password}>
        <Input name="password" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} required />
      </Field>
      <Button type="submit" variant="primary" size="lg" busy={signIn.isPending} busyLabel={text.auth.signingIn}>
        {text.auth.signIn}
      </Button>
    </form>
  );
}

export function SignUpForm() {
  const text = useText(authTexts);
  const locale = useLocale();
  const arrive = useArrival(text.toast.registered);
  const { fieldErrors, show } = useFieldErrors<FieldName>();
  const [password, setPassword] = useState('');
  // The field's value becomes public; when it is empty, a name is generated that reveals nothing of the email.
  const [name, setName] = useState({ value: '', own: false });
  const [random] = useState(() => Math.random().toString(36).slice(2, 6).padEnd(4, 'x'));
  type Typed = Omit<Parameters<typeof client.auth.signUp>[0], 'challenge'>;
  const signUp = useMutation({
    // A network that creates many accounts at once has to solve a proof of work for each.
    mutationFn: useRetryAfterLostAnswer(
      (input: Typed) =>
        withChallenge((challenge) => client.auth.signUp({ ...input, ...(challenge ? { challenge } : {}) })),
      // The account that already exists may be the one created by the lost call: then its password matches.
      (refusal, { email, password }) =>
        ['USERNAME_TAKEN', 'SIGN_UP_REFUSED'].includes(codeOf(refusal))
          ? client.auth.signIn({ email, password }).catch(() => Promise.reject(refusal))
          : undefined,
    ),
    onSuccess: arrive,
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const email = typed(form, 'email').trim();
    const username = typed(form, 'username').trim();
    if (!email || !password || signUp.isPending) return;
    const wrong: FieldErrors<FieldName> = {};
    if (!EMAIL_FORM.test(email)) wrong.email = text.field.email;
    if (username && !isPublicName(cleanName(username))) wrong.username = text.field.username;
    if (password.length < PASSWORD_MIN) wrong.password = text.field.passwordShort;
    show(form, wrong);
    if (Object.keys(wrong).length > 0) {
      if (wrong.password) notify.error({ title: text.toast.signUpFailed, text: wrong.password });
      return;
    }
    signUp.mutate(
      {
        email,
        password,
        username: username || undefined,
        requestModerator: typed(form, 'requestModerator') === 'on',
        locale,
      },
      {
        onError: (error) => {
          const code = codeOf(error);
          const fields = wrongFields(error);
          const found: FieldErrors<FieldName> = {};
          if (fields.includes('email')) found.email = text.field.email;
          if (fields.includes('username')) found.username = text.field.username;
          if (code === 'USERNAME_TAKEN') found.username = text.failure.USERNAME_TAKEN;
          if (fields.includes('password')) found.password = text.field.passwordShort;
          if (code === 'PASSWORD_COMMON' || code === 'PASSWORD_OWN') found.password = text.failure[code];
          show(form, found);
          const title = code === 'UNEXPECTED' || code === 'OFFLINE' ? text.toast.unexpected : text.toast.signUpFailed;
          notify.error({ title, text: failureText(error, text) });
        },
      },
    );
  }
  return (
    // Sent before the scripts have arrived, nothing of it may get into the address.
    <form method="post" onSubmit={submit} noValidate aria-label={text.auth.signUpTab} className="grid gap-4">
      <EmailField
        error={fieldErrors.email}
        onBlur={({ target }) => name.own || setName({ value: suggestedName(target.value, random), own: false })}
      />
      <Field label={text.auth.username} hint={text.auth.usernameHint} error={fieldErrors.username}>
        <Input
          name="username"
          autoComplete="username"
          maxLength={USERNAME_MAX}
          value={name.value}
          onChange={({ target }) => setName({ value: target.value, own: true })}
        />
      </Field>
      <Field
        label={text.auth.password}
        hint={password ? text.auth.strength[strengthOf(password)] : text.auth.passwordHint}
        error={fieldErrors.password}
      >
        <Input
          name="password"
          type="password"
          autoComplete="new-password"
          maxLength={PASSWORD_MAX}
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      <Checkbox name="requestModerator" label={text.auth.moderator} />
      <Button type="submit" variant="primary" size="lg" busy={signUp.isPending} busyLabel={text.auth.signingUp}>
        {text.auth.signUp}
      </Button>
    </form>
  );
}

/** Only a hint: length counts most, then the mix of characters. */
function strengthOf(password: string): 'weak' | 'fair' | 'good' {
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(password)).length;
  const score = new Set(password).size + kinds * 2;
  return score < 10 ? 'weak' : score < 17 ? 'fair' : 'good';
}
