import { useMutation } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { failureText } from '#app/lib/api/failure.ts';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { authTexts } from '#app/lib/messages/auth.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { isDismissed, knowsPasskeys, signByPasskey } from '#app/lib/session/passkey.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { Me } from '#contract/domains/auth.ts';
import { TextButton } from './steps.tsx';

const noChanges = () => () => {};

/** Whether a passkey button is rendered: never on the server, whose document is the same for every browser. */
const useKnowsPasskeys = () => useSyncExternalStore(noChanges, knowsPasskeys, () => false);

function usePasskey(work: () => Promise<Me>, onDone: (me: Me) => unknown) {
  const text = useText(authTexts);
  return useMutation({
    mutationFn: work,
    onSuccess: onDone,
    onError: (error) => {
      if (!isDismissed(error)) notify.error({ title: text.toast.signInFailed, text: failureText(error, text) });
    },
  });
}

/** Sign-in with a passkey alone. */
export function PasskeySignIn({ onDone }: { onDone: (me: Me) => unknown }) {
  const text = useText(authTexts);
  const signIn = usePasskey(async () => {
    const options = await client.account.passkeys.startSignIn(undefined);
    return client.account.passkeys.signIn({ response: await signByPasskey(options) });
  }, onDone);
  if (!useKnowsPasskeys()) return null;
  return <TextButton onClick={() => !signIn.isPending && signIn.mutate()}>{text.auth.usePasskey}</TextButton>;
}

/** The second factor by passkey, next to the field for codes. */
export function PasskeySecondStep({ onDone }: { onDone: (me: Me) => unknown }) {
  const text = useText(authTexts);
  const step = usePasskey(async () => {
    const options = await client.account.passkeys.startSecondStep(undefined);
    return client.account.passkeys.secondStep({ response: await signByPasskey(options) });
  }, onDone);
  if (!useKnowsPasskeys()) return null;
  return (
    <Button size="lg" busy={step.isPending} busyLabel={text.auth.checking} onClick={() => step.mutate()}>
      {text.auth.passkeyStep}
    </Button>
  );
}
