import { Suspense } from 'react';
import type { Me } from '#contract/domains/auth.ts';
import { ReactionButtons } from './lazy-parts.ts';
import type { ReactionButtonsProps } from './ReactionButtons.tsx';

/** Emoji with their counts; members of the forum can react. */
export function Reactions({ me, ...buttons }: ReactionButtonsProps & { me: Me | null | undefined }) {
  // Reserves the space while the session is loading.
  if (me === undefined) return <div aria-hidden="true" className="hidden h-23.5 in-data-[member]:block xs:h-11" />;
  if (!me?.isForumUser) return null;
  return (
    <Suspense fallback={<div aria-hidden="true" className="h-23.5 xs:h-11" />}>
      <ReactionButtons {...buttons} />
    </Suspense>
  );
}
