import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { whileQueued } from '#app/features/admin/people/Mails.tsx';
import { PersonPage } from '#app/features/admin/people/PersonPage.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';

/** /admin/people/:id */
export default function PersonScreen() {
  const messages = useText(adminPersonTexts).person;
  const { id = '' } = useParams();
  const query = useQuery({
    ...rpc.admin.people.read.queryOptions({ input: { id } }),
    refetchInterval: ({ state }) => whileQueued(state.data),
  });
  const user = query.data?.user;
  return (
    <AdminScreen
      title={user ? (user.username ?? user.email) : messages.heading}
      back={{ to: '/admin/people', label: messages.back }}
    >
      {/* The key discards input and data of one person when the page shows another one. */}
      <PersonPage key={id} id={id} query={query} />
    </AdminScreen>
  );
}
