import { useState } from 'react';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { adminTokenTexts } from '#app/lib/messages/admin/token-creation.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Checkbox } from '#app/ui/controls/Field.tsx';
import { isConfusable, type TokenInput } from '#contract/fields/token-form.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { groupedDigits } from './money.ts';

/** The fields of the form, before the confirmation. */
export type TokenFields = Omit<TokenInput, 'confirmation' | 'lookAlikeAccepted'>;

interface CreationConfirmProps {
  token: TokenFields;
  /** The site's own copy of the image, if there is one. */
  image: string | null;
  onClose: () => void;
  onConfirm: (confirmed: Pick<TokenInput, 'confirmation' | 'lookAlikeAccepted'>) => Promise<unknown>;
}

/** The token exactly as wallets will show it, and a field to type its ticker again. */
export function CreationConfirm({ token, image, onClose, onConfirm }: CreationConfirmProps) {
  const text = useText(adminTokenTexts, adminCreationTexts);
  const messages = text.creation.confirm;
  const locale = useLocale();
  const [accepted, setAccepted] = useState(false);
  const doubtful = isConfusable(token.tokenName) || isConfusable(token.tokenSymbol);
  const supply = groupedDigits(token.totalSupply, locale);
  return (
    <ConfirmDialog
      open
      harmless
      onClose={onClose}
      title={messages.title}
      text={messages.text}
      confirmLabel={messages.submit}
      busyLabel={messages.busy}
      typed={token.tokenSymbol}
      blocked={doubtful && !accepted}
      onConfirm={() => onConfirm({ confirmation: token.tokenSymbol, lookAlikeAccepted: accepted })}
    >
      <figure className="admin-sub grid gap-3" aria-label={messages.preview}>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
          <TokenImage id={token.requestId} symbol={token.tokenSymbol} src={image} size={44} alt="" />
          <div className="min-w-32 flex-1">
            <p className="font-semibold [overflow-wrap:anywhere]">{token.tokenName}</p>
            <p className="text-sm text-quiet">{text.tokenAdmin.create.networks[token.network]}</p>
          </div>
          <p className="figures ml-auto text-right [overflow-wrap:anywhere]">
            {supply} {token.tokenSymbol}
          </p>
        </div>
        <p className="text-sm">
          <span className="text-quiet">{messages.owner}: </span>
          <span className="figures [overflow-wrap:anywhere]">{token.ownerWallet}</span>
        </p>
      </figure>
      {doubtful ? (
        <Checkbox
          label={messages.lookAlike}
          checked={accepted}
          onChange={(event) => setAccepted(event.target.checked)}
        />
      ) : null}
    </ConfirmDialog>
  );
}
