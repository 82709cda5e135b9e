import { useDeferredValue } from 'react';
import { useMe } from '#app/features/auth/auth.queries.ts';
import { Discussion } from '#app/features/forum/board/Discussion.tsx';
import { ForumImage } from '#app/features/media/forum-image.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';

/** What members write about a token; on its page, far below the first screen. */
export default function TokenDiscussion({ kind, id, name }: { kind: TokenKind; id: string; name: string }) {
  const me = useMe();
  // The first render must equal the document, which is the same for everybody.
  const reader = useDeferredValue(useMounted() ? me : undefined);
  return <Discussion token={{ kind, id, tokenName: name }} me={reader} imageField={ForumImage} />;
}
