import { useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { createLaterTexts } from '#app/lib/messages/create-later.ts';
import { AreaField, LinkField, NetworkField, TextField, WalletField } from './Fields.tsx';
import { useDraft } from './useDraft.ts';

export function StepContact() {
  const text = useText(createTexts, createLaterTexts).create;
  const { hints } = useDraft();
  return (
    <div className="grid gap-5">
      <p className="text-quiet">{text.contactLead}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <WalletField label={text.contact.ownerWalletAddress} />
        <NetworkField name="selectedNetwork" label={text.contact.selectedNetwork} sold symbols />
        <TextField
          name="petitionerEmail"
          label={text.contact.petitionerEmail}
          hint={hints.includes('mailboxUnchanged') ? text.hint.emailStays : undefined}
          type="email"
          inputMode="email"
          autoComplete="email"
        />
        <TextField
          name="petitionerTelegram"
          label={text.contact.petitionerTelegram}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <TextField name="twitter" label={text.contact.twitter} />
        <TextField name="linkedin" label={text.contact.linkedin} />
        <TextField name="telegram" label={text.contact.telegram} />
        <TextField name="discord" label={text.contact.discord} />
        <LinkField name="website" label={text.contact.website} />
        <TextField name="supportChannel" label={text.contact.supportChannel} />
      </div>
      <AreaField name="socialDescription" label={text.contact.socialDescription} rows={3} />
    </div>
  );
}
