import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { ledgerTexts } from '#app/lib/messages/ledger.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { Card } from '#app/ui/layout/Card.tsx';

/** The way from the account to the receipts of its votes. */
export function AccountReceipts() {
  const text = useText(ledgerTexts).ledger;
  const href = useHref();
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4 p-5 sm:p-6">
      <div>
        <h2 className="text-xl">{text.account}</h2>
        <p className="mt-1 text-sm text-quiet">{text.accountLead}</p>
      </div>
      <ButtonLink to={href('/ledger')}>{text.accountAction}</ButtonLink>
    </Card>
  );
}
