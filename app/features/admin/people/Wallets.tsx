import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { PersonView } from '#contract/admin/people.ts';
import { PersonSection } from './PersonSection.tsx';

/** The wallets that sign in to the account, with their whole addresses on a click. */
export function Wallets({ wallets }: Pick<PersonView, 'wallets'>) {
  const messages = useText(adminPersonTexts).person.wallets;
  return (
    <PersonSection title={messages.title} hint={messages.hint}>
      {wallets.length === 0 ? <p className="text-quiet">{messages.none}</p> : null}
      <ul className="grid gap-2">
        {wallets.map(({ id, family, address, linkedAt, lastUsedAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Copyable value={address} label={messages.copy} copiedLabel={messages.copied} head={10} tail={8} />
            <Badge>{messages.family[family]}</Badge>
            <span className="text-sm text-quiet">
              {messages.linked}: <When iso={linkedAt} />
            </span>
            <span className="text-sm text-quiet">
              {lastUsedAt ? (
                <>
                  {messages.used}: <When iso={lastUsedAt} />
                </>
              ) : (
                messages.unused
              )}
            </span>
          </li>
        ))}
      </ul>
    </PersonSection>
  );
}
