import { Bookmark } from 'lucide-react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { listFollowTexts } from '#app/lib/messages/list-follow.ts';
import { firstLoadIsOver, loadWithRetry } from '#app/lib/page/lazy-loading.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { fragment } from '#app/ui/fragment.ts';
import type { FollowButtonProps } from './FollowButton.tsx';

type Button = ComponentType<FollowButtonProps>;
let loading: Promise<Button> | undefined;
const load = () => {
  loading ??= loadWithRetry(() => import('./FollowButton.tsx')).then((part) => part.FollowButton);
  return loading;
};

type LazyFollowButtonProps = Omit<FollowButtonProps, 'before'>;

/** The follow button of lists that most visitors only read: its code is loaded after the page, or at the first click. */
export function LazyFollowButton(props: LazyFollowButtonProps) {
  return import.meta.env.SSR ? <FirstFollowButton name={props.name} /> : <LoadedFollowButton {...props} />;
}

/** The markup of a `FollowButton` of a token that is not followed. */
const FirstFollowButton = fragment(({ name }: { name: string }) => {
  const { listFollow: text } = useText(listFollowTexts);
  return (
    <IconButton label={text.add(name)}>
      <Bookmark aria-hidden="true" fill="none" />
    </IconButton>
  );
});

function LoadedFollowButton(props: LazyFollowButtonProps) {
  const { listFollow: text } = useText(listFollowTexts);
  const first = useRef<HTMLButtonElement>(null);
  const clicked = useRef(false);
  const [loaded, setLoaded] = useState<{ Button: Button; before: FollowButtonProps['before'] } | null>(null);
  useEffect(() => {
    let shown = true;
    void firstLoadIsOver()
      .then(load)
      .then((Button) => {
        if (shown) setLoaded((now) => now ?? { Button, before: beforeOf(first.current, clicked.current) });
      });
    return () => {
      shown = false;
    };
  }, []);
  if (loaded) return <loaded.Button {...props} before={loaded.before} />;
  return (
    <IconButton
      ref={first}
      label={text.add(props.name)}
      onClick={() => {
        clicked.current = true;
        void load().then((Button) =>
          setLoaded((now) => now ?? { Button, before: beforeOf(first.current, clicked.current) }),
        );
      }}
    >
      <Bookmark aria-hidden="true" fill="none" />
    </IconButton>
  );
}

const beforeOf = (button: HTMLButtonElement | null, clicked: boolean): FollowButtonProps['before'] => ({
  focused: button !== null && document.activeElement === button,
  clicked,
});
