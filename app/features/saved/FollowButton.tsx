import { Bookmark } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { listFollowTexts } from '#app/lib/messages/list-follow.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import type { SavedRef } from '#contract/domains/saved.ts';
import { useCloseAfterSave } from './saved.queries.ts';

export interface FollowButtonProps {
  token: SavedRef;
  name: string;
  /** Undefined while it is loading. */
  signedIn: boolean | undefined;
  /** What the member did with the button that it replaces. */
  before?: { focused: boolean; clicked: boolean } | undefined;
}

/** Follows or unfollows a token of a list with one click; the same saved list as everywhere. */
export function FollowButton({ token, name, signedIn, before }: FollowButtonProps) {
  const { listFollow: text } = useText(listFollowTexts);
  const saved = useCloseAfterSave(signedIn);
  const button = useRef<HTMLButtonElement>(null);
  const pressed = useMounted() && saved.has(token);
  const set = (follow: boolean) => saved.set({ kind: token.kind, id: token.id }, follow);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it takes the place of the other button.
  useEffect(() => {
    if (before?.focused) button.current?.focus({ preventScroll: true });
    // That button offered to follow, whatever the list held.
    if (before?.clicked) set(true);
  }, []);
  return (
    <IconButton ref={button} label={pressed ? text.remove(name) : text.add(name)} onClick={() => set(!pressed)}>
      <Bookmark aria-hidden="true" fill={pressed ? 'currentColor' : 'none'} />
    </IconButton>
  );
}
