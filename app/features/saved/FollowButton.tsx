import { Bookmark } from 'lucide-react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { listFollowTexts } from '#app/lib/messages/list-follow.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import type { SavedRef } from '#contract/domains/saved.ts';
import { useSavedTokens } from './saved.queries.ts';

export interface FollowButtonProps {
  token: SavedRef;
  name: string;
  /** Undefined while it is loading. */
  signedIn: boolean | undefined;
}

/** Follows or unfollows a token of a list with one click; the same saved list as everywhere. */
export function FollowButton({ token, name, signedIn }: FollowButtonProps) {
  const { listFollow: text } = useText(listFollowTexts);
  const saved = useSavedTokens(signedIn);
  const pressed = useMounted() && saved.has(token);
  return (
    <IconButton
      label={pressed ? text.remove(name) : text.add(name)}
      onClick={() => saved.set({ kind: token.kind, id: token.id }, !pressed)}
    >
      <Bookmark aria-hidden="true" fill={pressed ? 'currentColor' : 'none'} />
    </IconButton>
  );
}
