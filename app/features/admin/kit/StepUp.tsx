import { createContext, type FormEvent, type ReactNode, use, useCallback, useRef, useState } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { isDismissed, knowsPasskeys, signByPasskey } from '#app/lib/session/passkey.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { PASSWORD_MAX } from '#contract/limits.ts';
import { Cancelled } from './failures.ts';

type Prove = () => Promise<void>;
const StepUpContext = createContext<Prove | null>(null);

interface Requested {
  resolve: () => void;
  reject: (reason: Cancelled) => void;
}

interface StepUpProviderProps {
  proof: 'code' | 'password';
  /** A passkey is accepted as proof too. */
  passkey: boolean;
  children: ReactNode;
}

/** Provides the step-up dialog to every component below it; one dialog for all of them. */
export function StepUpProvider({ proof, passkey, children }: StepUpProviderProps) {
  const [requested, setRequested] = useState<Requested | null>(null);
  /** Shared by the calls that are refused while the dialog is open: one proof counts for all of them. */
  const pending = useRef<Promise<void> | null>(null);
  const prove = useCallback<Prove>(() => {
    pending.current ??= new Promise<void>((resolve, reject) => setRequested({ resolve, reject })).finally(() => {
      pending.current = null;
    });
    return pending.current;
  }, []);
  return (
    <StepUpContext value={prove}>
      {children}
      {requested ? (
        <StepUpDialog
          proof={proof}
          passkey={passkey}
          onDone={() => {
            setRequested(null);
            requested.resolve();
          }}
          onCancel={() => {
            setRequested(null);
            requested.reject(new Cancelled());
          }}
        />
      ) : null}
    </StepUpContext>
  );
}

/**
 * Runs a call; when the server requires step-up, asks for the second factor and runs the call once more.
 * @returns `withProof(() => client.admin.networks.remove(seen))`; rejects with Cancelled when the dialog is closed.
 */
export function useStepUp() {
  const prove = use(StepUpContext);
  return useCallback(
    async <T,>(work: () => Promise<T>): Promise<T> => {
      try {
        return await work();
      } catch (error) {
        if (codeOf(error) !== 'STEP_UP_NEEDED' || !prove) throw error;
        await prove();
        return work();
      }
    },
    [prove],
  );
}

interface StepUpDialogProps {
  proof: 'code' | 'password';
  passkey: boolean;
  onDone: () => void;
  onCancel: () => void;
}

function StepUpDialog({ proof, passkey, onDone, onCancel }: StepUpDialogProps) {
  const text = useText(adminTexts);
  const messages = text.admin.stepUp;
  const [wrong, setWrong] = useState('');
  const [busy, setBusy] = useState(false);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const field = event.currentTarget.elements.namedItem('proof') as HTMLInputElement;
    const given =
      proof === 'code' && /^[\d\s]+$/.test(field.value) ? field.value.replace(/\s/g, '') : field.value.trim();
    if (!given || busy) return;
    await prove(() => client.account.prove(proof === 'code' ? { code: given } : { password: field.value }), field);
  }
  async function prove(work: () => Promise<unknown>, field?: HTMLInputElement) {
    setBusy(true);
    setWrong('');
    try {
      await work();
      onDone();
    } catch (error) {
      setBusy(false);
      if (!isDismissed(error))
        setWrong(codeOf(error) === 'BAD_REQUEST' ? text.failure.WRONG_CODE : failureText(error, text));
      field?.focus();
    }
  }
  const byPasskey = () =>
    prove(async () => {
      const options = await client.account.passkeys.startProof(undefined);
      await client.account.passkeys.prove({ response: await signByPasskey(options) });
    });
  return (
    <Dialog open onOpenChange={(next) => !next && onCancel()} title={messages.title} description={messages.text}>
      <form onSubmit={submit} noValidate aria-label={messages.title} className="grid gap-4">
        <Field label={messages[proof]} error={wrong}>
          {proof === 'code' ? (
            <Input name="proof" autoComplete="one-time-code" autoCapitalize="off" spellCheck={false} maxLength={40} />
          ) : (
            <Input name="proof" type="password" autoComplete="current-password" maxLength={PASSWORD_MAX} />
          )}
        </Field>
        <div className="dialog-actions mt-0">
          <Button onClick={onCancel}>{text.admin.form.cancel}</Button>
          {passkey && knowsPasskeys() ? (
            <Button busy={busy} busyLabel={messages.busy} onClick={() => void byPasskey()}>
              {messages.passkey}
            </Button>
          ) : null}
          <Button type="submit" variant="primary" busy={busy} busyLabel={messages.busy}>
            {messages.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
