import { client } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { accountTexts } from '#app/lib/messages/account.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { AccountOverview } from '#contract/domains/account.ts';
import { AccountSection } from './AccountSection.tsx';
import { useFailureText, useSessions } from './account.queries.ts';
import { StepUpForm } from './StepUpForm.tsx';
import { useConfirmedAction } from './useConfirmedAction.ts';

/** Sessions of the account, each with a button to end it. */
export function SessionsPart({ account }: { account: AccountOverview }) {
  const text = useText(accountTexts);
  const messages = text.account.sessions;
  const locale = useLocale();
  const sessions = useSessions();
  const failureOf = useFailureText();
  const { run, busy, proof } = useConfirmedAction();
  const end = (id: string) =>
    run(async () => {
      await client.account.revokeSession({ id });
      return messages.ended;
    });
  const endOthers = () =>
    run(async () => {
      await client.account.revokeOtherSessions();
      return messages.othersEnded;
    });
  return (
    <AccountSection title={messages.heading} lead={messages.lead}>
      {sessions.isError ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{failureOf(sessions.error)}</p>
          <Button onClick={() => void sessions.refetch()}>{text.account.retry}</Button>
        </div>
      ) : null}
      {sessions.data ? (
        <ul className="grid gap-3">
          {sessions.data.map((session) => (
            <li key={session.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <div className="min-w-0">
                <p className="flex flex-wrap items-center gap-2 font-semibold">
                  {session.device || messages.unknown}
                  {session.current ? <Badge tone="mint">{messages.current}</Badge> : null}
                </p>
                <p className="flex flex-wrap gap-x-3 text-sm text-quiet">
                  <span>{messages.used(dateTime(session.lastUsedAt, locale))}</span>
                  {session.address ? <span className="break-all">{session.address}</span> : null}
                </p>
              </div>
              {session.current ? null : (
                <Button
                  size="sm"
                  aria-label={messages.endOf(session.device || messages.unknown)}
                  busy={busy}
                  onClick={() => end(session.id)}
                >
                  {messages.end}
                </Button>
              )}
            </li>
          ))}
        </ul>
      ) : sessions.isError ? null : (
        <SkeletonGroup label={text.account.loading}>
          <Skeleton className="h-12" />
        </SkeletonGroup>
      )}
      {proof ? (
        <StepUpForm account={account} {...proof} />
      ) : (sessions.data?.length ?? 0) > 1 ? (
        <Button className="justify-self-start" busy={busy} onClick={endOthers}>
          {messages.others}
        </Button>
      ) : null}
    </AccountSection>
  );
}
