import { Link2, RotateCcw } from 'lucide-react';
import { useRef, useState } from 'react';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { LazyDialog } from '#app/lib/page/LazyDialog.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Stat } from '#app/ui/layout/Stat.tsx';
import { TokenTicket } from '#app/ui/layout/TokenTicket.tsx';
import { isTouched } from './stored-draft.ts';
import { draftStore, useDraft } from './useDraft.ts';

/** Next to the form: a preview, and links to continue on other devices. */
export function WizardAside({ step, onRestart }: { step: number; onRestart: () => void }) {
  return (
    <aside className="grid grid-cols-1 gap-5 lg:sticky lg:top-20">
      <Preview />
      <PrivateLink step={step} />
      <Drafts onRestart={onRestart} />
    </aside>
  );
}

/** A preview of the token's card on Home. It has no link yet, and shows only values of the form. */
function Preview() {
  const text = useText(createTexts);
  const locale = useLocale();
  const { data, remote } = useDraft();
  const name = data.tokenName.trim();
  const symbol = data.tokenSymbol.trim().replace(/^\$/, '') || text.create.preview.symbol;
  const slug = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return (
    <section>
      <h2 className="mb-2.5 text-lg">{text.create.preview.heading}</h2>
      <div inert>
        <TokenTicket
          to="#"
          image={
            <TokenImage
              id={remote?.id ?? 'florka'}
              symbol={symbol}
              src={data.imageUrl || null}
              alt=""
              size="fill"
              eager
            />
          }
          title={name || text.create.preview.name}
          symbol={`$${symbol}`}
          badge={<Badge>{text.create.preview.badge}</Badge>}
          description={data.description.trim() || text.create.preview.description}
          stats={
            <dl>
              <Stat label={<English>{text.home.marketCap}</English>} value="$0" />
            </dl>
          }
          progress={{ value: 0, label: text.home.progress, labelLang: 'en', showValue: locale }}
          slug={slug || undefined}
          stub={text.create.preview.stub}
        />
      </div>
    </section>
  );
}

/** The link to continue elsewhere: anyone with it may change the draft. */
function PrivateLink({ step }: { step: number }) {
  const text = useText(createTexts).create.link;
  const href = useHref();
  const { remote } = useDraft();
  const field = useRef<HTMLInputElement>(null);
  const link = remote ? `${window.location.origin}${href('/create')}#${remote.id}.${remote.secret}.${step}` : '';
  async function copy() {
    field.current?.select();
    try {
      await navigator.clipboard.writeText(link);
      notify.success({ title: text.copied });
    } catch {
      // Clipboard access is denied: the link is selected, for copying with the keyboard.
    }
  }
  return (
    <section className="card p-4 sm:p-5">
      <h2 className="flex items-center gap-2 text-lg">
        <Link2 aria-hidden="true" className="size-5 text-sky-text" />
        {text.heading}
      </h2>
      <p className="mt-1.5 text-sm text-quiet">{remote ? text.text : text.later}</p>
      {remote ? (
        <div className="mt-3 grid gap-2 sm:max-lg:grid-cols-[minmax(0,1fr)_auto]">
          <Field label={<span className="visually-hidden">{text.label}</span>}>
            <Input
              ref={field}
              readOnly
              value={link}
              className="figures text-sm"
              onFocus={(event) => event.target.select()}
            />
          </Field>
          <Button onClick={() => void copy()}>{text.copy}</Button>
        </div>
      ) : null}
    </section>
  );
}

/** The other draft of this device, and a new form. */
function Drafts({ onRestart }: { onRestart: () => void }) {
  const text = useText(createTexts).create;
  const state = useDraft();
  const [confirming, setConfirming] = useState(false);
  if (!isTouched(state) && state.aside === null) return null;
  return (
    <div className="grid gap-3 text-sm">
      {state.aside === null ? null : (
        <p className="card flex flex-wrap items-center justify-between gap-2 p-3.5">
          {text.aside.text(state.aside)}
          <Button size="sm" onClick={() => draftStore().swap()}>
            {text.aside.swap}
          </Button>
        </p>
      )}
      {isTouched(state) ? (
        <Button variant="ghost" size="sm" className="justify-self-start" onClick={() => setConfirming(true)}>
          <RotateCcw aria-hidden="true" />
          {text.restart.button}
        </Button>
      ) : null}
      <LazyDialog
        open={confirming}
        onOpenChange={setConfirming}
        role="alertdialog"
        title={text.restart.title}
        description={text.restart.text}
        actions={
          <>
            <Button onClick={() => setConfirming(false)}>{text.restart.cancel}</Button>
            <Button
              variant="danger"
              onClick={() => {
                setConfirming(false);
                draftStore().restart();
                onRestart();
              }}
            >
              {text.restart.confirm}
            </Button>
          </>
        }
      />
    </div>
  );
}
