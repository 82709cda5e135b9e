import { Eye, EyeOff, UserX } from 'lucide-react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { profileTexts } from '#app/lib/messages/profiles.ts';
import { useRestrict } from '#app/lib/session/restrict.ts';
import { useRestrictions } from '#app/lib/session/restrictions.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { Menu } from '#app/ui/controls/Menu.tsx';

/** Mutes or blocks the author of a text or the owner of a profile; for members, not for themselves. */
export default function RestrictMenu({ memberId, name }: { memberId: string; name: string }) {
  const { restrictions: text } = useText(profileTexts);
  const level = useRestrictions(memberId)(name) ?? 'none';
  const restrict = useRestrict();
  const all = [
    { key: 'mute', label: text.mute, hint: text.muteHint, icon: <EyeOff aria-hidden="true" /> },
    { key: 'block', label: text.block, hint: text.blockHint, icon: <UserX aria-hidden="true" /> },
    { key: 'none', label: text.none, hint: text.noneHint, icon: <Eye aria-hidden="true" /> },
  ] as const;
  return (
    <Menu
      trigger={
        <IconButton size="sm" label={text.menu(name)}>
          <UserX aria-hidden="true" />
        </IconButton>
      }
      items={all
        .filter(({ key }) => key !== level)
        .map((item) => ({ ...item, onSelect: () => void restrict.set(name, item.key) }))}
    />
  );
}
