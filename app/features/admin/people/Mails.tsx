import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminMailTexts } from '#app/lib/messages/admin/mail-templates.ts';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { PersonMail } from '#contract/admin/shared/person-records.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import { useRights } from '../kit/rights.tsx';
import { PersonSection } from './PersonSection.tsx';
import { type OlderThan, useOlder } from './useOlder.tsx';

type MailState = PersonMail['status'] | NonNullable<PersonMail['sentBy']>;

const MAIL_TONES: Record<MailState, Tone> = {
  queued: 'sky',
  sent: 'neutral',
  smtp: 'mint',
  file: 'lead',
  failed: 'coral',
  expired: 'neutral',
};

/** State as it is shown: of a sent mail, how it was sent. */
const stateOf = ({ status, sentBy }: PersonMail): MailState => (status === 'sent' ? (sentBy ?? 'sent') : status);

/** Label of a mail; a kind that is no longer sent is shown by its code. */
const nameOfMail = (template: string, names: Record<string, string>): string =>
  (Object.hasOwn(names, template) ? names[template] : template) ?? template;

/** While a mail of a page is on its way, its state is read again. Milliseconds; false when none is. */
export const whileQueued = (page: { mails: readonly PersonMail[] } | undefined): number | false =>
  page?.mails.some(({ status }) => status === 'queued') ? 5_000 : false;

interface MailsProps {
  mails: PersonMail[];
  /** The mailbox of the page: others are named at their mails. */
  own: string;
  older: OlderThan<'mails'>;
}

/** Mails with their delivery state; those about orders and requests can be sent again. */
export function Mails({ mails, own, older }: MailsProps) {
  const messages = useText(adminPersonTexts).person.mails;
  const { rows, list, more } = useOlder('mails', messages.title, mails, older);
  const names = useText(adminMailTexts).mailNames;
  const failure = useAdminFailure('users');
  const { may } = useRights();
  const queries = useQueryClient();
  const [requested, setRequested] = useState<PersonMail | null>(null);
  const send = useMutation({
    mutationFn: (id: string) => client.admin.mailboxes.sendAgain({ id }),
    onSuccess: () => notify.success({ title: messages.queuedAgain }),
    onError: (error) => notify.failed(error, { title: messages.againFailed, text: failure(error) }),
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.admin.key() }),
  });
  return (
    <PersonSection title={messages.title} hint={messages.hint}>
      {rows.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul ref={list} className="grid gap-2">
        {rows.map((mail) => {
          const name = nameOfMail(mail.template, names);
          return (
            <li key={mail.id} className="grid gap-0.5">
              <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
                <span className="font-semibold">{name}</span>
                {mail.number ? <code>{mail.number}</code> : null}
                <Badge tone={MAIL_TONES[stateOf(mail)]}>{messages.states[stateOf(mail)]}</Badge>
                <span className="text-sm text-quiet">{messages.attempts(mail.attempts)}</span>
                <When iso={mail.sentAt ?? mail.at} className="text-sm text-quiet" />
                {mail.resendable && may('mailboxes.sendAgain') ? (
                  <Button
                    size="sm"
                    className="ml-auto"
                    aria-label={messages.againOf(name, mail.number ?? '')}
                    onClick={() => setRequested(mail)}
                  >
                    {messages.again}
                  </Button>
                ) : null}
              </span>
              {mail.to.toLowerCase() === own.toLowerCase() ? null : (
                <span className="text-sm wrap-anywhere text-quiet">{messages.to(mail.to)}</span>
              )}
              {mail.lastError ? <span className="text-sm wrap-anywhere text-coral-text">{mail.lastError}</span> : null}
            </li>
          );
        })}
      </ul>
      {more}
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={messages.againTitle}
        question={
          requested ? `${nameOfMail(requested.template, names)} · ${requested.number} · ${requested.to}` : undefined
        }
        text={requested?.status === 'failed' ? messages.againFailedText : messages.againText}
        confirmLabel={messages.again}
        busyLabel={messages.againBusy}
        harmless
        onConfirm={() => (requested ? send.mutateAsync(requested.id) : Promise.resolve())}
      />
    </PersonSection>
  );
}
