import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { useRetryAfterLostAnswer } from '#app/lib/api/retry-lost-answer.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { SceneEmptyStage } from '#app/ui/art/scenes/SceneEmptyStage.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { useFailureText, useRefresh } from './account.queries.ts';

type Verified = Awaited<ReturnType<typeof client.account.verifyEmail>>;

interface VerifyProps {
  /** Null before the page has read its address. */
  token: string | null;
  /** Id of the signed-in user, null for none, undefined while it is loading. */
  memberId: string | null | undefined;
  /** The user's own e-mail if it is confirmed: the link may have been used before, or a code by mail confirmed it. */
  confirmed: string | null;
  /** Shown when the user has to sign in, or sign in to another account. */
  signIn: ReactNode;
}

/** Confirms the email of a link, for the member who is signed in. */
export function VerifyEmail({ token, memberId, confirmed, signIn }: VerifyProps) {
  const text = useText(accountTexts);
  const messages = text.account.verify;
  const href = useHref();
  const refresh = useRefresh();
  const failureText = useFailureText();
  const triedAs = useRef<string | null>(null);
  const verify = useMutation({
    mutationKey: rpc.account.verifyEmail.mutationKey(),
    // A link works once, and the lost response had this session's new token: UNAUTHORIZED may mean that it was confirmed.
    mutationFn: useRetryAfterLostAnswer<{ token: string }, Verified | 'unknown'>(
      client.account.verifyEmail,
      (refusal) =>
        codeOf(refusal) === 'TOKEN_REFUSED'
          ? client.auth.me().then((me) => (me === null ? 'unknown' : Promise.reject(refusal)))
          : undefined,
    ),
    onSuccess: () => refresh(),
    onError: (error) => codeOf(error) === 'TOKEN_REFUSED' && refresh(),
  });
  const { mutate } = verify;
  useEffect(() => {
    if (!memberId || triedAs.current === memberId || !token) return;
    triedAs.current = memberId;
    mutate({ token });
  }, [memberId, token, mutate]);

  if (verify.isSuccess) {
    const { data } = verify;
    const [title, about] =
      data === 'unknown'
        ? [messages.unknown, messages.unknownText]
        : data.unconfirmed
          ? [messages.moved, messages.movedText(data.email)]
          : [messages.done, messages.doneText(data.email)];
    return (
      <EmptyState
        role="status"
        scene={<SceneEmptyStage />}
        title={title}
        text={about}
        action={
          <ButtonLink to={href('/account')} variant="primary">
            {messages.toAccount}
          </ButtonLink>
        }
      />
    );
  }
  const code = verify.isError ? codeOf(verify.error) : null;
  if (token === '' || code === 'TOKEN_REFUSED' || code === 'BAD_REQUEST')
    return (
      <EmptyState
        role="alert"
        scene={<SceneNotFound />}
        title={messages.refused}
        text={token && confirmed ? messages.refusedConfirmed(confirmed) : messages.refusedText}
        action={
          <ButtonLink to={href('/account')} variant="primary">
            {messages.toAccount}
          </ButtonLink>
        }
      />
    );
  if (memberId === null || code === 'UNAUTHORIZED')
    return (
      <Card className="mx-auto max-w-lg p-6">
        <h2 className="text-xl">{messages.signIn}</h2>
        <p role="status" className="mt-1 mb-5 text-quiet">
          {messages.signInText}
        </p>
        {signIn}
      </Card>
    );
  if (verify.isError)
    return (
      <EmptyState
        role="alert"
        scene={<SceneNotFound />}
        title={messages.failed}
        text={failureText(verify.error)}
        action={
          <Button variant="primary" onClick={() => token && mutate({ token })}>
            {text.account.retry}
          </Button>
        }
      />
    );
  return (
    <SkeletonGroup label={messages.working} className="noscript:hidden">
      <p className="mb-3 text-quiet">{messages.working}</p>
      <Skeleton className="h-40 rounded-card" />
    </SkeletonGroup>
  );
}
