import { Bookmark } from 'lucide-react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { tokenTexts } from '#app/lib/messages/token.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { SavedRef } from '#contract/domains/saved.ts';
import { useSavedTokens } from './saved.queries.ts';

/** Adds a token to the reader's saved list, or removes it. */
export function SaveButton({ token, signedIn }: { token: SavedRef; signedIn: boolean | undefined }) {
  const text = useText(tokenTexts);
  const mounted = useMounted();
  const saved = useSavedTokens(signedIn);
  const pressed = mounted && saved.has(token);
  return (
    // As wide as its longer label.
    <Button
      className="min-w-34"
      aria-pressed={pressed}
      onClick={() => saved.set({ kind: token.kind, id: token.id }, !pressed)}
    >
      <Bookmark aria-hidden="true" fill={pressed ? 'currentColor' : 'none'} />
      {pressed ? text.token.saved : text.token.save}
    </Button>
  );
}
