import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Share2, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-router';
import { failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { raceTexts } from '#app/lib/messages/race.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { CrownedPuppet } from '#app/ui/art/Puppet.tsx';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import type { Ranking } from '#contract/domains/voting.ts';
import { ranksQuery } from './race.queries.ts';

/** Closes the ticket that is shown: there is one at a time. */
let putAway: (() => void) | null = null;

export interface VoteTicketProps {
  candidateId: string;
  name: string;
  /** The vote's place among those of its candidate; null when the vote was not cast on this page. */
  number: number | null;
  /** True when the member opened it: it takes the focus. */
  reopened: boolean;
  /** @param byMember false when another ticket takes its place. */
  onClose: (byMember: boolean) => void;
}

/** The ticket of a vote: shown over the lower edge of the page until it is saved or closed. */
export default function VoteTicket({ candidateId, name, number, reopened, onClose }: VoteTicketProps) {
  const { ticket: text, ...all } = useText(raceTexts);
  const queries = useQueryClient();
  const href = useHref();
  const locale = useLocale();
  const keep = useMutation(
    rpc.race.keepTicket.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onSuccess: async ({ id }) => {
        const url = new URL(href(`/ticket/${id}`), window.location.origin).href;
        try {
          if (navigator.share) await navigator.share({ title: text.shareText(name), url });
          else {
            await navigator.clipboard.writeText(url);
            notify.success({ title: text.shared });
          }
        } catch {
          // Closing the device's dialog is not an error, and the address is on the ticket.
        }
      },
      onError: (error) => notify.failed(error, { title: text.failed, text: failureText(error, all) }),
    }),
  );
  const close = useEffectEvent(onClose);
  const section = useRef<HTMLElement>(null);
  useEffect(() => {
    const mine = () => close(false);
    putAway?.();
    putAway = mine;
    return () => {
      if (putAway === mine) putAway = null;
    };
  }, []);
  useEffect(() => {
    if (reopened) section.current?.focus({ preventScroll: true });
  }, [reopened]);
  const cached = rankOf(queries.getQueriesData<Ranking>({ queryKey: rpc.voting.ranking.key() }), candidateId);
  // The page of a candidate has no ranking, and its cached ranks by day are from before the vote.
  const ranks = useQuery({ ...ranksQuery(candidateId), staleTime: 0, enabled: cached === 0 });
  const place = cached || (ranks.isFetchedAfterMount ? ranks.data?.at(-1)?.rank : undefined);
  return createPortal(
    <section
      ref={section}
      tabIndex={-1}
      aria-label={text.yours}
      className="torn-ticket fixed inset-x-3 bottom-3 z-40 mx-auto max-w-md print:hidden"
    >
      <Ticket
        tone="lead"
        className="shadow-float"
        header={
          <div className="flex items-start gap-3">
            <CrownedPuppet className="puppet-bows h-auto w-14 flex-none" />
            <div className="min-w-0 flex-1">
              <p className="eyebrow">{text.yours}</p>
              <p dir="auto" className="truncate font-display text-xl font-bold">
                {name}
              </p>
              <p className="figures text-sm text-quiet">
                {[
                  number === null ? null : `${text.number} ${integer(number, locale)}`,
                  place ? `${text.rank} ${all.race.place(place)}` : null,
                ]
                  .filter((part) => part !== null)
                  .join(' · ')}
              </p>
            </div>
            <IconButton size="sm" className="-mt-1 -mr-1" label={text.close} onClick={() => onClose(true)}>
              <X aria-hidden="true" />
            </IconButton>
          </div>
        }
        stub={
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <Link to={href('/ledger')} className="link inline-flex min-h-9 items-center text-sm">
              {text.proof}
            </Link>
            {keep.data ? (
              <Link
                to={href(`/ticket/${keep.data.id}`)}
                className="link inline-flex min-h-9 items-center font-semibold"
              >
                {text.open}
              </Link>
            ) : (
              <Button
                size="sm"
                variant="primary"
                busy={keep.isPending}
                busyLabel={text.sharing}
                onClick={() => keep.mutate({ candidateId })}
              >
                <Share2 aria-hidden="true" />
                {text.share}
              </Button>
            )}
            {keep.data ? null : <p className="w-full text-xs text-quiet">{text.shareNote}</p>}
          </div>
        }
      />
    </section>,
    document.body,
  );
}

/** The candidate's place in the longest cached ranking; 0 when it is in none. */
function rankOf(held: [unknown, Ranking | undefined][], candidateId: string): number {
  const lists = held.flatMap(([, ranking]) => ranking ?? []).toSorted((a, b) => b.items.length - a.items.length);
  return 1 + (lists[0]?.items.findIndex(({ id }) => id === candidateId) ?? -1);
}
