import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { May } from '#app/features/admin/kit/rights.tsx';
import { PeopleFinder } from '#app/features/admin/person/PeopleFinder.tsx';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';

/** /admin/people */
export default function PeopleScreen() {
  const messages = useText(adminPersonTexts).person;
  const href = useHref();
  return (
    <AdminScreen
      title={messages.heading}
      lead={messages.lead}
      actions={
        <>
          <May call="users.list">
            <ButtonLink to={href('/admin/complete-users')}>{messages.allAccounts}</ButtonLink>
          </May>
          <May call="roles.list">
            <ButtonLink to={href('/admin/users')}>{messages.allRoles}</ButtonLink>
          </May>
        </>
      }
    >
      <PeopleFinder />
    </AdminScreen>
  );
}
