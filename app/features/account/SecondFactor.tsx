import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';
import { PASSWORD_MAX } from '#contract/limits.ts';
import { AccountForm, useAccountForm } from './AccountForm.tsx';
import { AccountSection } from './AccountSection.tsx';
import { download, useRefresh } from './account.queries.ts';
import { StepUpForm } from './StepUpForm.tsx';

interface Setup {
  secret: string;
  qrSvg: string;
}

/** Enables the second factor (password, image, code, recovery codes) and disables it. */
export function SecondFactorPart({ account }: { account: AccountOverview }) {
  const text = useText(accountTexts);
  const messages = text.account.second;
  const [setup, setSetup] = useState<Setup | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <AccountSection
      name="second-factor"
      title={messages.heading}
      badge={
        <Badge tone={account.secondFactor ? 'mint' : 'neutral'}>
          {account.secondFactor ? messages.on : messages.off}
        </Badge>
      }
      lead={messages.lead}
    >
      {account.secondFactorNeeded && !account.secondFactor && !account.passkeyNeeded ? (
        <p role="status">{messages.needed}</p>
      ) : null}
      {codes ? (
        <Codes codes={codes} onStored={() => setCodes(null)} />
      ) : account.secondFactor ? (
        <>
          {/* Confirmed, but the response with the recovery codes was lost. */}
          {setup ? <p role="alert">{messages.codesLost}</p> : null}
          <Remove left={account.recoveryCodesLeft} />
        </>
      ) : setup ? (
        <Confirm
          setup={setup}
          onCancel={() => setSetup(null)}
          onDone={(made) => {
            setCodes(made);
            setSetup(null);
          }}
        />
      ) : account.emailVerified ? (
        <Start account={account} onStarted={setSetup} />
      ) : (
        <p className="text-quiet">{messages.verifyFirst}</p>
      )}
    </AccountSection>
  );
}

/** An account with a passkey requires a step-up first; the password alone would add an app to it. */
function Start({ account, onStarted }: { account: AccountOverview; onStarted: (setup: Setup) => void }) {
  const text = useText(accountTexts);
  const messages = text.account.second;
  const [unproven, setUnproven] = useState(false);
  const change = useAccountForm({
    call: useMutation(rpc.account.startSecondFactor.mutationOptions({ onSuccess: onStarted })),
    fields: ['password'],
    input: ({ password }) => ({ password }),
    refused: (code) => {
      if (code === 'STEP_UP_NEEDED') {
        setUnproven(true);
        return {};
      }
      return code === 'WRONG_PASSWORD' ? { password: text.failure.WRONG_PASSWORD } : undefined;
    },
  });
  const back = () => setUnproven(false);
  if (unproven) return <StepUpForm account={account} onDone={back} onCancel={back} />;
  return (
    <AccountForm label={messages.heading} change={change}>
      <Field label={text.account.password} error={change.fieldErrors.password}>
        <Input name="password" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
      </Field>
      <Button type="submit" className="justify-self-start" busy={change.busy} busyLabel={messages.starting}>
        {messages.start}
      </Button>
    </AccountForm>
  );
}

interface ConfirmProps {
  setup: Setup;
  onCancel: () => void;
  onDone: (recoveryCodes: string[]) => void;
}

function Confirm({ setup, onCancel, onDone }: ConfirmProps) {
  const text = useText(accountTexts);
  const messages = text.account.second;
  const locale = useLocale();
  const refresh = useRefresh();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The button that had the focus was removed; the nearest one left is “Cancel”.
    field.current?.focus({ preventScroll: true });
  }, []);
  const confirm = useMutation(
    rpc.account.confirmSecondFactor.mutationOptions({
      onSuccess: ({ recoveryCodes }) => {
        onDone(recoveryCodes);
        notify.success({ title: messages.done });
        return refresh();
      },
    }),
  );
  const change = useAccountForm({
    call: confirm,
    fields: ['code'],
    input: ({ code }) => ({ code: code.replace(/\s/g, ''), locale }),
    lost: messages.maybeOn,
    refused: (code) =>
      code === 'WRONG_CODE' || code === 'BAD_REQUEST' ? { code: text.failure.WRONG_CODE } : undefined,
  });
  return (
    <AccountForm label={messages.heading} change={change}>
      <p role="status">{messages.scan}</p>
      <div className="flex flex-wrap items-center gap-4">
        <img
          src={`data:image/svg+xml,${encodeURIComponent(setup.qrSvg)}`}
          alt={messages.qr}
          width={192}
          height={192}
          className="rounded-control border border-line bg-white"
        />
        <Copyable value={setup.secret} label={messages.copy} copiedLabel={messages.copied} head={8} tail={8} />
      </div>
      <Field label={messages.code} error={change.fieldErrors.code}>
        <Input ref={field} name="code" inputMode="numeric" autoComplete="one-time-code" maxLength={12} />
      </Field>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="primary" busy={change.busy} busyLabel={messages.confirming}>
          {messages.confirm}
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          {text.account.cancel}
        </Button>
      </div>
    </AccountForm>
  );
}

/** Recovery codes, shown once. */
export function Codes({ codes, onStored }: { codes: string[]; onStored: () => void }) {
  const messages = useText(accountTexts).account.second;
  const me = useQuery(rpc.auth.me.queryOptions({ enabled: false })).data;
  const staff = me != null && me.role !== 'user';
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The previous content was removed; the focus moves to what replaced it.
    heading.current?.focus();
  }, []);
  const all = codes.join('\n');
  return (
    <div className="grid gap-4">
      <div>
        <h3 ref={heading} tabIndex={-1} className="text-lg">
          {messages.codesHeading}
        </h3>
        <p className="mt-1 text-quiet">{staff ? `${messages.codesText} ${messages.codesTeam}` : messages.codesText}</p>
      </div>
      <ul className="figures grid gap-1 rounded-control bg-raised p-4" data-recovery-codes>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-3">
        <Copyable value={all} label={messages.copyCodes} copiedLabel={messages.copied} head={11} tail={0} />
        <Button size="sm" onClick={() => download('florka-codes.txt', 'text/plain', `${all}\n`)}>
          {messages.download}
        </Button>
        <Button size="sm" variant="primary" onClick={onStored}>
          {messages.stored}
        </Button>
      </div>
    </div>
  );
}

function Remove({ left }: { left: number }) {
  const text = useText(accountTexts);
  const messages = text.account.second;
  const locale = useLocale();
  const refresh = useRefresh();
  const remove = useMutation(
    rpc.account.removeSecondFactor.mutationOptions({
      onSuccess: () => {
        notify.success({ title: messages.removed });
        return refresh();
      },
    }),
  );
  const change = useAccountForm({
    call: remove,
    fields: ['password', 'code'],
    input: ({ password, code }) => ({ password, code: normalizeCode(code), locale }),
    refused: (code) => {
      if (code === 'WRONG_PASSWORD') return { password: text.failure.WRONG_PASSWORD };
      return code === 'WRONG_CODE' || code === 'BAD_REQUEST' ? { code: text.failure.WRONG_CODE } : undefined;
    },
  });
  return (
    <AccountForm label={messages.heading} change={change}>
      <p className="text-quiet">{messages.left(left)}</p>
      <Field label={text.account.password} error={change.fieldErrors.password}>
        <Input name="password" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
      </Field>
      <Field label={messages.removeCode} error={change.fieldErrors.code}>
        <Input name="code" autoComplete="one-time-code" autoCapitalize="off" spellCheck={false} maxLength={40} />
      </Field>
      <Button type="submit" className="justify-self-start" busy={change.busy} busyLabel={messages.removing}>
        {messages.remove}
      </Button>
    </AccountForm>
  );
}

/** A code of the app may be typed in groups; a recovery code stays unchanged. */
function normalizeCode(typed: string): string {
  const code = typed.trim();
  return /^[\d\s]+$/.test(code) ? code.replace(/\s/g, '') : code;
}
