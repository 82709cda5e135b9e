import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { failureText } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { ledgerTexts } from '#app/lib/messages/ledger.ts';
import { ownVoteTexts } from '#app/lib/messages/own-votes.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { useReturnHere } from '#app/lib/session/sign-in-return.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { useLoadMore } from '#app/ui/controls/useLoadMore.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { MyVotes } from '#contract/domains/ledger.ts';
import { RECEIPTS_SHOWN } from '#contract/limits.ts';
import { useMyLeaves } from './ledger.queries.ts';

const TONES = { counted: 'mint', under_review: 'lead', void: 'coral' } as const;

/** A member's own votes, each with its state, its leaf and its receipt. @param signedIn undefined while it is loading. */
export function MyReceipts({ signedIn }: { signedIn: boolean | undefined }) {
  const text = useText(ledgerTexts).ledger;
  const href = useHref();
  const here = useReturnHere();
  const { data, isError, refetch } = useMyLeaves(signedIn === true);
  if (signedIn === false)
    return (
      <div className="card flex flex-wrap items-center justify-between gap-3 px-5 py-4">
        <p>{text.minePrompt}</p>
        <ButtonLink to={href('/auth')} state={here} size="sm">
          {text.mineAction}
        </ButtonLink>
      </div>
    );
  if (!data && isError)
    return (
      <div role="alert" className="card flex flex-wrap items-center justify-between gap-3 px-5 py-4">
        <p>{text.mineError}</p>
        <Button onClick={() => void refetch()}>{text.retry}</Button>
      </div>
    );
  if (!data) return <div className="card min-h-20" aria-busy="true" />;
  if (data.length === 0)
    return (
      <div className="card flex flex-wrap items-center justify-between gap-3 px-5 py-4">
        <p>{text.mineEmpty}</p>
        <ButtonLink to={href('/vote')} size="sm">
          {text.mineVote}
        </ButtonLink>
      </div>
    );
  return <Votes newest={data} />;
}

/** The position after the last vote of a page; null when there are no older ones. */
function after(page: MyVotes): { day: string; id: number } | null {
  const last = page.length < RECEIPTS_SHOWN ? undefined : page.at(-1);
  return last ? { day: last.day, id: last.id } : null;
}

/** The newest votes, and older ones on request. */
function Votes({ newest }: { newest: MyVotes }) {
  const text = useText(ledgerTexts).ledger;
  const [open, setOpen] = useState(false);
  const first = after(newest);
  const older = useInfiniteQuery({
    // When a newer vote moves the position, the pages after it are other ones.
    queryKey: [...rpc.ledger.mine.key(), 'older', first],
    queryFn: ({ pageParam, signal }) => client.ledger.mine(pageParam ?? {}, { signal }),
    initialPageParam: first,
    getNextPageParam: after,
    enabled: open && first !== null,
  });
  const votes = [...newest, ...(older.data?.pages.flat() ?? [])];
  const more = useLoadMore<HTMLUListElement>(votes.length, older.isFetching, ':scope > li', () =>
    open ? older.fetchNextPage() : setOpen(true),
  );
  return (
    <>
      <ul ref={more.list} className="grid gap-3">
        {votes.map((vote) => (
          <Row key={vote.id} vote={vote} />
        ))}
      </ul>
      {older.isError ? (
        <p role="alert" className="mt-4">
          {text.mineError}
        </p>
      ) : null}
      {first !== null && (!older.data || older.hasNextPage) ? (
        <Button className="mt-4" {...more.button} busyLabel={text.mineLoading}>
          {text.mineOlder}
        </Button>
      ) : null}
    </>
  );
}

function Row({ vote }: { vote: MyVotes[number] }) {
  const all = useText(ledgerTexts);
  const text = all.ledger;
  const { explain } = useText(ownVoteTexts).ownVotes;
  const href = useHref();
  const download = useMutation(
    rpc.ledger.receipt.mutationOptions({
      onSuccess: ({ receipt }) => saveFile(`florka-${vote.tokenSlug}-${vote.day}.tlog-proof`, receipt),
      onError: (error) => notify.error({ title: text.receiptFailed, text: failureText(error, all) }),
    }),
  );
  return (
    <li className="card flex flex-wrap items-center justify-between gap-x-5 gap-y-3 px-5 py-4">
      <div className="min-w-0">
        <Link to={href(`/token/${vote.tokenSlug}/candidate`)} className="link font-semibold wrap-anywhere">
          {vote.tokenName}
        </Link>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-quiet">
          <span className="figures">{vote.day}</span>
          <Badge tone={TONES[vote.state]}>{text.state[vote.state]}</Badge>
          <span className="figures">{vote.leaf === null || !vote.signed ? text.leafWaits : text.leaf(vote.leaf)}</span>
        </p>
        {vote.state === 'counted' ? null : (
          <p className="mt-2 max-w-[44rem] text-sm">{explain({ state: vote.state, reason: vote.reason ?? 'team' })}</p>
        )}
      </div>
      {vote.signed ? (
        <Button
          size="sm"
          aria-label={text.receiptOf(vote.tokenName, vote.day)}
          onClick={() => download.mutate({ voteId: vote.id })}
        >
          <Download aria-hidden="true" />
          {text.receipt}
        </Button>
      ) : null}
    </li>
  );
}

function saveFile(name: string, content: string): void {
  const address = URL.createObjectURL(new Blob([content], { type: 'text/plain' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  // The browser reads it after the current task.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
