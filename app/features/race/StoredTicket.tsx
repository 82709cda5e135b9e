import { Link } from 'react-router';
import { day, integer } from '#app/lib/format/format.ts';
import { LocalTime } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { raceTexts } from '#app/lib/messages/race.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import type { VoteTicket } from '#contract/domains/race.ts';

const TONE = { counted: 'mint', under_review: 'lead', void: 'coral', withdrawn: 'neutral' } as const;

/** A stored ticket, with the state of its vote. */
export function StoredTicket({ ticket }: { ticket: VoteTicket }) {
  const { ticket: text, race } = useText(raceTexts);
  const href = useHref();
  const locale = useLocale();
  return (
    <Ticket
      as="article"
      tone="lead"
      header={
        <div className="flex items-center gap-4">
          <TokenImage
            id={ticket.candidateId}
            symbol={ticket.tokenSymbol}
            src={ticket.imageUrl}
            alt=""
            size={72}
            eager
          />
          <div className="min-w-0">
            <h2 dir="auto" className="text-2xl wrap-anywhere">
              {ticket.tokenName}
            </h2>
            <p className="text-quiet">
              ${ticket.tokenSymbol}
              {ticket.round ? ` · ${text.round(ticket.round)}` : null}
            </p>
          </div>
        </div>
      }
      stub={
        <div className="flex flex-wrap items-center justify-between gap-3">
          <Badge tone={TONE[ticket.state]}>{text.states[ticket.state]}</Badge>
          {ticket.tokenSlug ? (
            <ButtonLink to={href(`/token/${ticket.tokenSlug}`)} size="sm">
              {text.candidate}
            </ButtonLink>
          ) : null}
        </div>
      }
    >
      <dl className="mt-5 grid grid-cols-3 gap-3">
        {[
          [text.number, integer(ticket.number, locale)],
          [text.rank, race.place(ticket.rank)],
          [text.day, day(ticket.day, locale)],
        ].map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className="figures text-xl font-bold wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-4 text-sm text-quiet">
        {text.keptAt} <LocalTime iso={ticket.keptAt} />
      </p>
      {ticket.signed === null ? null : (
        <p className="mt-2 text-sm">
          {ticket.signed ? text.signed : text.unsigned}{' '}
          <Link to={href('/ledger')} className="link">
            {text.ledger}
          </Link>
        </p>
      )}
    </Ticket>
  );
}
