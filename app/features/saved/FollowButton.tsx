import { Bookmark } from 'lucide-react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { exploreTexts } from '#app/lib/messages/explore.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import type { SavedRef } from '#contract/domains/saved.ts';
import { useCloseAfterSave } from './saved.queries.ts';

interface FollowButtonProps {
  token: SavedRef;
  name: string;
  /** Undefined while it is loading. */
  signedIn: boolean | undefined;
}

/** Follows or unfollows a token of a list with one click; the same saved list as everywhere. */
export function FollowButton({ token, name, signedIn }: FollowButtonProps) {
  const { explore: text } = useText(exploreTexts);
  const saved = useCloseAfterSave(signedIn);
  const pressed = useMounted() && saved.has(token);
  return (
    <IconButton
      label={pressed ? text.unfollow(name) : text.follow(name)}
      onClick={() => saved.set({ kind: token.kind, id: token.id }, !pressed)}
    >
      <Bookmark aria-hidden="true" fill={pressed ? 'currentColor' : 'none'} />
    </IconButton>
  );
}
