import { Link } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { useRights } from '../kit/rights.tsx';
import { NAVIGATION } from '../navigation.ts';

const NAMES = ['people', 'users', 'roles'] as const;

/** Three screens show the same persons: what this one is for, and links to the others that are open to the admin. */
export function PeopleScreens({ here }: { here: (typeof NAMES)[number] }) {
  const { screens } = useText(adminTexts).admin;
  const messages = useText(adminPeopleTexts).people;
  const href = useHref();
  const { may } = useRights();
  const all = NAVIGATION.flatMap((group) => [...group.screens]);
  const open = NAMES.flatMap((name) => all.find((one) => one.name === name && one.reads.some(may)) ?? []);
  return (
    <ul className="grid gap-x-6 gap-y-1 text-sm text-quiet md:grid-cols-3" aria-label={messages.screensOf}>
      {open.map(({ name, path }) => (
        <li key={name}>
          {name === here ? (
            <strong className="inline-flex min-h-11 items-center text-text md:min-h-0" aria-current="page">
              {screens[name]}
            </strong>
          ) : (
            <Link to={href(path)} className="link inline-flex min-h-11 items-center font-semibold md:min-h-0">
              {screens[name]}
            </Link>
          )}
          <span className="block">{messages.screens[name as (typeof NAMES)[number]]}</span>
        </li>
      ))}
    </ul>
  );
}
