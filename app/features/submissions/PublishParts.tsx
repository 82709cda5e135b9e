import { useText } from '#app/lib/i18n/i18n.tsx';
import { publishTexts } from '#app/lib/messages/publish.ts';
import { SceneConstruction } from '#app/ui/art/scenes/SceneConstruction.tsx';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { Ticket } from '#app/ui/layout/Ticket.tsx';
import type { Form } from './form.ts';

/** What follows after sending, and a preview of the card. */
export function PublishAside({ form, supportEmail }: { form: Form; supportEmail: string | null }) {
  const text = useText(publishTexts);
  const messages = text.publish;
  return (
    <aside className="grid grid-cols-1 gap-6 lg:sticky lg:top-24">
      <section aria-labelledby="publish-preview">
        <h2 id="publish-preview" className="mb-2.5 text-lg">
          {messages.preview}
        </h2>
        <Ticket
          stub={
            <span className="block truncate text-sm text-quiet">
              {form.submitterName || <English>{messages.badge}</English>}
            </span>
          }
          header={
            <div className="token-ticket-head">
              <TokenImage id={form.symbol || 'florka'} symbol={form.symbol} src={form.imageUrl || null} alt="" />
              <div className="min-w-0">
                <p className="token-ticket-title font-display font-bold leading-tight">
                  {form.projectName || messages.previewName}
                </p>
                <p className="figures mt-1 text-sm text-quiet [overflow-wrap:anywhere]">
                  ${form.symbol || messages.previewSymbol}
                </p>
              </div>
            </div>
          }
        >
          <p className="clamp-2 mt-3.5 min-h-[2.9em] text-[0.9375rem] leading-[1.45] text-quiet [overflow-wrap:anywhere]">
            {form.description || text.shared.defaultDescription}
          </p>
        </Ticket>
      </section>
      <section aria-labelledby="publish-steps">
        <h2 id="publish-steps" className="text-lg">
          {messages.steps.heading}
        </h2>
        <ol className="mt-3 grid gap-4">
          {messages.steps.list.map(({ title, text: what }, step) => (
            <li key={title} className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3">
              <span
                aria-hidden="true"
                className="grid size-8 place-items-center rounded-full bg-lead-soft font-mono text-sm font-bold text-lead-text"
              >
                {step + 1}
              </span>
              <div>
                <p className="font-semibold">{title}</p>
                <p className="text-sm text-quiet">{what}</p>
              </div>
            </li>
          ))}
        </ol>
      </section>
      {supportEmail ? (
        <section aria-labelledby="publish-contact">
          <h2 id="publish-contact" className="text-lg">
            {messages.contact}
          </h2>
          <p className="mt-1 mb-3 text-sm text-quiet [overflow-wrap:anywhere]">{messages.contactText(supportEmail)}</p>
          <ContactAdmin supportEmail={supportEmail} />
        </section>
      ) : null}
    </aside>
  );
}

function ContactAdmin({ supportEmail, primary }: { supportEmail: string; primary?: boolean }) {
  const messages = useText(publishTexts).publish.soon;
  return (
    <a href={`mailto:${supportEmail}`} className={buttonClass(primary ? { variant: 'primary' } : {})}>
      <English>{messages.action}</English>
    </a>
  );
}

/** Shown while the operator accepts no submissions. */
export function ComingSoon({ supportEmail }: { supportEmail: string | null }) {
  const text = useText(publishTexts);
  const messages = text.publish.soon;
  return (
    <EmptyState
      scene={<SceneConstruction />}
      title={<English>{messages.title}</English>}
      text={messages.text}
      action={supportEmail ? <ContactAdmin supportEmail={supportEmail} primary /> : null}
    />
  );
}

export function PublishSkeleton() {
  const text = useText(publishTexts);
  return (
    <SkeletonGroup
      label={text.publish.loading}
      className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1fr)_21rem] lg:gap-8"
    >
      <div className="grid gap-5">
        <Skeleton className="h-[38rem] rounded-card" />
        <Skeleton className="h-52 rounded-card" />
      </div>
      <Skeleton className="h-64 rounded-card" />
    </SkeletonGroup>
  );
}
