import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { ledgerTexts } from '#app/lib/messages/ledger.ts';
import { ownVoteTexts } from '#app/lib/messages/own-votes.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { useMyLeaves } from './ledger.queries.ts';

/** Link from the account to its votes and their receipts, with the number of uncounted ones. */
export function AccountReceipts() {
  const text = useText(ledgerTexts).ledger;
  const { summary } = useText(ownVoteTexts).ownVotes;
  const href = useHref();
  const { data: votes = [] } = useMyLeaves(true);
  const inState = (state: string) => votes.filter((vote) => vote.state === state).length;
  const uncounted = summary(inState('under_review'), inState('void'));
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4 p-5 sm:p-6">
      <div>
        <h2 className="text-xl">{text.account}</h2>
        <p className="mt-1 text-sm text-quiet">{text.accountLead}</p>
        {uncounted ? <p className="mt-1 text-sm">{uncounted}</p> : null}
      </div>
      <ButtonLink to={href('/ledger')}>{text.accountAction}</ButtonLink>
    </Card>
  );
}
