import { type ComponentType, type ReactNode, startTransition, useEffect, useState } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { pageIsUsed } from '#app/lib/page/page-use.ts';
import type { SavedRef } from '#contract/domains/saved.ts';
import type { FollowButtonProps } from './FollowButton.tsx';

type Button = ComponentType<FollowButtonProps>;
let loaded: Button | undefined;
let loading: Promise<Button> | undefined;

/** Loads the button once, when the reader first does something with the page. */
function load(): Promise<Button> {
  loading ??= pageIsUsed()
    .then(() => loadWithRetry(() => import('./FollowButton.tsx')))
    .then((part) => {
      loaded = part.FollowButton;
      return loaded;
    });
  return loading;
}

/**
 * The follow buttons of a list that most visitors only read: loaded and rendered when the page is used, in steps between which it
 * responds. With the buttons in the document, in a frame around each card, home blocked a phone for about 50 ms more.
 *
 * @param signedIn undefined while it is loading.
 * @returns renders the button of a token; null until it is loaded: its place should be kept free.
 */
export function useFollowButton(signedIn: boolean | undefined): (token: SavedRef, name: string) => ReactNode {
  const [Button, setButton] = useState<Button | undefined>(() => (import.meta.env.SSR ? undefined : loaded));
  useEffect(() => {
    void load().then((Loaded) => startTransition(() => setButton(() => Loaded)));
  }, []);
  return (token, name) => (Button ? <Button token={token} name={name} signedIn={signedIn} /> : null);
}
