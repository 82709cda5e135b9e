import { ChevronDown, Lock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { client } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { Checkbox } from '#app/ui/controls/Field.tsx';
import { cx } from '#app/ui/cx.ts';
import { English } from '#app/ui/layout/English.tsx';
import { WIZARD_LINKS } from '#contract/fields/links.ts';
import { AreaField, change, LinkField, NetworkField, TextField, useForm, WalletField } from './Fields.tsx';
import type { Claim } from './stored-draft.ts';
import { draftStore, useDraft } from './useDraft.ts';

/** The upload of the token's image, which belongs to another feature. */
interface ImageSlot {
  label: string;
  optional: string;
  value: string | null;
  onChange: (url: string | null) => void;
  draft: () => Promise<Claim>;
  onDelete: (imageId: string) => Promise<unknown>;
}
export type RenderImage = (slot: ImageSlot) => ReactNode;

/** Returns the server's draft, creating it when needed: an image can't wait for the first Next. */
async function claim(): Promise<Claim> {
  const saved = await draftStore().save();
  if (saved.ok) return saved.claim;
  throw saved.error ?? new Error('two versions');
}

async function removeImage(imageId: string): Promise<unknown> {
  const { remote } = draftStore().get();
  return remote ? client.tokenRequests.removeImage({ id: remote.id, secret: remote.secret, imageId }) : undefined;
}

function keepImage(url: string | null): void {
  change({ imageUrl: url ?? '' });
  void draftStore().save();
}

export function StepToken({ image }: { image: RenderImage }) {
  const text = useText(createTexts).create;
  const { data } = useForm();
  const { hints } = useDraft();
  return (
    <div className="grid gap-5">
      <ModeToggle />
      <div className="grid gap-5 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <TextField name="tokenName" label={<English>{text.field.tokenName}</English>} required />
        <TextField
          name="tokenSymbol"
          label={<English>{text.field.tokenSymbol}</English>}
          hint={text.hint.ticker}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          required
        />
      </div>
      <AreaField name="description" label={<English>{text.field.description}</English>} rows={4} required />
      {image({
        label: text.field.image,
        optional: text.optional,
        value: data.imageUrl || null,
        onChange: keepImage,
        draft: claim,
        onDelete: removeImage,
      })}
      <Checkbox
        label={<English>{text.field.creatorFeeShare}</English>}
        hint={text.hint.creatorFeeShare}
        checked={data.creatorFeeShare}
        onChange={(event) => change({ creatorFeeShare: event.target.checked })}
      />
      <fieldset className="grid gap-5 rounded-card border border-line bg-raised p-4 sm:p-5">
        <legend className="contents">
          <span className="font-display text-xl font-bold">{text.token.creator}</span>
        </legend>
        <p className="-mt-4 text-sm text-quiet">{text.token.creatorLead}</p>
        <div className="grid gap-5 sm:grid-cols-2">
          <NetworkField name="selectedNetwork" label={text.field.selectedNetwork} sold required />
          <WalletField label={text.field.ownerWalletAddress} />
          <TextField
            name="petitionerEmail"
            label={text.field.petitionerEmail}
            hint={hints.includes('mailboxUnchanged') ? text.hint.emailStays : text.hint.email}
            type="email"
            inputMode="email"
            autoComplete="email"
            required
          />
          <TextField
            name="petitionerTelegram"
            label={text.field.petitionerTelegram}
            hint={text.hint.telegram}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        </div>
      </fieldset>
      <details className="group rounded-card border border-line">
        <summary className="flex min-h-12 list-none items-center justify-between gap-3 rounded-card px-4 font-semibold [&::-webkit-details-marker]:hidden">
          <English>{text.token.more}</English>
          <ChevronDown aria-hidden="true" className="size-5 text-quiet group-open:rotate-180" />
        </summary>
        <div className="grid gap-5 px-4 pt-1 pb-5 sm:grid-cols-2">
          {WIZARD_LINKS.map((link) => (
            <LinkField key={link} name={link} label={text.field[link]} optional={text.optional} />
          ))}
        </div>
      </details>
      <p className="flex items-start gap-2 text-sm text-quiet">
        <Lock aria-hidden="true" className="mt-0.5 size-4 flex-none" />
        {text.token.note}
      </p>
    </div>
  );
}

/** Visual only: both modes lead through the same form. */
function ModeToggle() {
  const text = useText(createTexts).create.token;
  const [mode, setMode] = useState<'justSendIt' | 'advanced'>('justSendIt');
  return (
    <fieldset className="w-full sm:w-fit">
      <legend className="visually-hidden">{text.mode}</legend>
      <div className="tabs-list">
        {(['justSendIt', 'advanced'] as const).map((name) => (
          <label
            key={name}
            className={cx(
              'tabs-tab relative grid cursor-pointer place-items-center has-focus-visible:outline-3 has-focus-visible:outline-focus',
            )}
            data-state={mode === name ? 'active' : undefined}
          >
            <input
              type="radio"
              name="mode"
              className="absolute inset-0 cursor-pointer opacity-0"
              checked={mode === name}
              onChange={() => setMode(name)}
            />
            <English>{text[name]}</English>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
