import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { PeopleFinder } from '#app/features/admin/people/PeopleFinder.tsx';
import { PeopleScreens } from '#app/features/admin/people/PeopleScreens.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';

/** /admin/people */
export default function PeopleScreen() {
  const messages = useText(adminPersonTexts).person;
  return (
    <AdminScreen title={messages.heading} lead={messages.lead}>
      <PeopleScreens here="people" />
      <PeopleFinder />
    </AdminScreen>
  );
}
