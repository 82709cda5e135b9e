import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import type { PersonalData } from '#contract/admin/people.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { usePlanName } from '../kit/plan-name.ts';
import { useStepUp } from '../kit/StepUp.tsx';
import { PersonSection } from './PersonSection.tsx';

/** The person's own pages, read-only: opened with a reason, which the person is notified of. */
export function PersonalDataView({ id, name }: { id: string; name: string }) {
  const messages = useText(adminPersonTexts).person.look;
  const failure = useAdminFailure('users');
  const withProof = useStepUp();
  const queries = useQueryClient();
  const [confirming, setConfirming] = useState(false);
  const [seen, setSeen] = useState<PersonalData | null>(null);
  async function openView(reason: string) {
    try {
      setSeen(await withProof(() => client.admin.people.look({ id, reason })));
      await queries.invalidateQueries({ queryKey: rpc.admin.people.key() });
      await queries.invalidateQueries({ queryKey: rpc.admin.audit.key() });
    } catch (error) {
      if (!(error instanceof Cancelled)) notify.error({ title: messages.failed, text: failure(error) });
      throw error;
    }
  }
  return (
    <PersonSection title={messages.title} hint={messages.text}>
      <Button size="sm" className="justify-self-start" onClick={() => setConfirming(true)}>
        {messages.action}
      </Button>
      <ConfirmDialog
        open={confirming}
        onClose={() => setConfirming(false)}
        title={messages.title}
        question={name}
        text={messages.text}
        confirmLabel={messages.confirm}
        busyLabel={messages.busy}
        reason="required"
        harmless
        onConfirm={openView}
      />
      {seen ? (
        <Dialog
          open
          onOpenChange={(open) => !open && setSeen(null)}
          title={messages.title}
          description={`${name}. ${messages.notified}`}
          className="dialog-wide"
          actions={<Button onClick={() => setSeen(null)}>{messages.close}</Button>}
        >
          <Seen seen={seen} />
        </Dialog>
      ) : null}
    </PersonSection>
  );
}

function Seen({ seen }: { seen: PersonalData }) {
  const text = useText(adminPersonTexts, notificationTexts);
  const planName = usePlanName();
  const messages = text.person.look;
  return (
    <div className="grid gap-4">
      <Lines title={messages.notifications(seen.unread)}>
        {seen.notifications.map((one) => (
          <li key={one.id}>
            <span className={one.read ? '' : 'font-semibold'}>{text.notifications.sentence(one)}</span>{' '}
            <When iso={one.at} className="text-sm text-quiet" />
          </li>
        ))}
      </Lines>
      <Lines title={messages.votedToday}>
        {seen.votedToday.map(({ token, slug }) => (
          <li key={slug}>{token}</li>
        ))}
      </Lines>
      <Lines title={messages.uncounted}>
        {seen.uncounted.map(({ tokenName, reason, underReview }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: read once and never changed; votes have no key here.
          <li key={index}>
            {tokenName}: {underReview ? messages.underReview : messages.void}, {messages.reasons[reason]}
          </li>
        ))}
      </Lines>
      <Lines title={messages.saved}>
        {seen.saved.map(({ name, symbol }) => (
          <li key={name + symbol}>
            {name} <span className="text-quiet">${symbol}</span>
          </li>
        ))}
      </Lines>
      <Lines title={messages.orders}>
        {seen.orders.map(({ tokenName, plan, createdAt }) => (
          <li key={createdAt}>
            {tokenName} · {planName(plan)} <When iso={createdAt} className="text-sm text-quiet" />
          </li>
        ))}
      </Lines>
    </div>
  );
}

function Lines({ title, children }: { title: string; children: ReactNode[] }) {
  const messages = useText(adminPersonTexts).person.look;
  return (
    <section className="admin-sub">
      <h3 className="text-base">{title}</h3>
      {children.length === 0 ? (
        <p className="text-quiet">{messages.nothing}</p>
      ) : (
        <ul className="grid gap-1">{children}</ul>
      )}
    </section>
  );
}
