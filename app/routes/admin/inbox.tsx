import { Link } from 'react-router';
import { InboxList, useInbox } from '#app/features/admin/inbox/InboxList.tsx';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { boundedCount } from '#app/features/admin/kit/list/bounded-count.ts';
import { IfAllowed } from '#app/features/admin/kit/rights.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';

/** /admin/inbox */
export default function InboxPage() {
  const messages = useText(adminInboxTexts).inbox;
  const locale = useLocale();
  const href = useHref();
  const inbox = useInbox();
  return (
    <AdminScreen
      title={messages.heading}
      lead={
        <>
          {messages.lead}{' '}
          <IfAllowed call="settings.save">
            <Link to={href('/admin/settings#mail')} className="link">
              {messages.overdueMail}
            </Link>
          </IfAllowed>
        </>
      }
      {...(inbox.total > 0 ? { count: messages.count(boundedCount(inbox.total, locale)) } : {})}
    >
      <InboxList inbox={inbox} />
    </AdminScreen>
  );
}
