import { skipToken, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { Mailbox } from '#app/features/admin/people/Mailbox.tsx';
import { MailboxPage } from '#app/features/admin/people/MailboxPage.tsx';
import { whileQueued } from '#app/features/admin/people/Mails.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';

/** /admin/mailbox?address= */
export default function MailboxScreen() {
  const messages = useText(adminPersonTexts).person;
  const [parameters] = useSearchParams();
  const address = parameters.get('address')?.trim() ?? '';
  const named = address.length >= 3;
  const query = useQuery({
    ...rpc.admin.mailboxes.read.queryOptions({ input: named ? { address } : skipToken }),
    refetchInterval: ({ state }) => whileQueued(state.data),
  });
  return (
    <AdminScreen
      title={address || messages.mailbox.heading}
      heading={address ? <Mailbox email={address} /> : undefined}
      lead={messages.mailbox.lead}
      back={{ to: '/admin/people', label: messages.back }}
    >
      <MailboxPage key={address} named={named} query={query} />
    </AdminScreen>
  );
}
