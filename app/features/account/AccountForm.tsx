import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { isLost } from '#app/lib/api/lost-answer.ts';
import { type FieldErrors, typed, useFieldErrors } from '#app/lib/forms/form.ts';
import type { AccountOverview } from '#contract/domains/account.ts';
import { useFailed } from './account.queries.ts';
import { StepUpForm } from './StepUpForm.tsx';

interface AccountFormOptions<F extends string, Input extends object> {
  /** The mutation. */
  call: {
    isPending: boolean;
    mutate(input: Input, then: { onSuccess: () => void; onError: (error: unknown) => void }): void;
  };
  fields: readonly F[];
  /** The input from the typed values; not sent while one of its texts is empty. */
  input: (typed: Record<F, string>) => Input;
  /** Errors that can be detected without the server. */
  wrong?: (input: Input) => FieldErrors<F>;
  /** Field errors of a refusal; every other refusal is shown as a notice. */
  refused: (code: ReturnType<typeof codeOf>, error: unknown) => FieldErrors<F> | undefined;
  /** Text after a lost response, where the general one does not fit. */
  lost?: string;
  /** Whether the fields are cleared afterwards. */
  emptied?: boolean;
}

/**
 * A change of the account with a form. When the server requires a step-up, `proof` has what `AccountForm` needs to show its form, and the
 * same change is sent again afterwards; null while none is pending.
 */
export function useAccountForm<const F extends string, Input extends object>(options: AccountFormOptions<F, Input>) {
  const { call, fields, input, wrong, refused, lost, emptied } = options;
  const queries = useQueryClient();
  const failed = useFailed();
  const { fieldErrors, show } = useFieldErrors<F>();
  const [waiting, setWaiting] = useState<(() => void) | null>(null);
  function send(form: HTMLFormElement, sent: Input) {
    call.mutate(sent, {
      onSuccess: () => emptied && form.reset(),
      onError: (error) => {
        // The change may have been applied: refetch everything on the page.
        if (isLost(error)) void queries.invalidateQueries();
        const found = refused(codeOf(error), error);
        if (found) show(form, found);
        else if (codeOf(error) === 'STEP_UP_NEEDED') setWaiting(() => () => send(form, sent));
        else failed(error, lost);
      },
    });
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const sent = input(Object.fromEntries(fields.map((name) => [name, typed(form, name)])) as Record<F, string>);
    if (call.isPending || Object.values(sent).includes('')) return;
    const seen = wrong?.(sent) ?? {};
    show(form, seen);
    if (Object.keys(seen).length === 0) send(form, sent);
  }
  function forget() {
    setWaiting(null);
    show(null, {});
  }
  const proof = waiting && {
    onDone: () => {
      setWaiting(null);
      waiting();
    },
    onCancel: () => setWaiting(null),
  };
  return { fieldErrors, busy: call.isPending, submit, forget, proof };
}

interface AccountFormProps {
  label: string;
  change: Pick<ReturnType<typeof useAccountForm>, 'submit' | 'proof'>;
  /** For the form of a step-up, which replaces this one while it is required; the typed values are preserved. */
  account?: AccountOverview;
  className?: string;
  children: ReactNode;
}

export function AccountForm({ label, change, account, className = 'grid gap-4', children }: AccountFormProps) {
  const proof = account && change.proof;
  return (
    <>
      <form noValidate className={proof ? 'hidden' : className} aria-label={label} onSubmit={change.submit}>
        {children}
      </form>
      {proof ? <StepUpForm account={account} {...proof} /> : null}
    </>
  );
}
