import { PenLine } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import type { Me } from '#contract/domains/auth.ts';
import type { TokenKind } from '#contract/fields/schemas.ts';
import { PostForm } from '../lazy-parts.ts';
import type { ImageField } from './PostExtras.tsx';

interface NewPostProps {
  me: Me | null | undefined;
  /** The token that the posts of this page are about. */
  about?: { kind: TokenKind; id: string } | undefined;
  imageField: ImageField;
  onCreated: (postId: string) => void;
}

/** The card for a new post, for members of the forum. */
export function NewPost({ me, about, imageField, onCreated }: NewPostProps) {
  const [writer, setWriter] = useState<string>();
  if (me?.isForumUser && me.id !== writer) setWriter(me.id);
  if (me === undefined) return <Waiting />;
  return writer ? (
    <Suspense fallback={<Waiting />}>
      <PostForm
        key={writer}
        memberId={writer}
        signedIn={me?.id === writer}
        about={about}
        imageField={imageField}
        onCreated={onCreated}
      />
    </Suspense>
  ) : null;
}

/** Reserves the space while the session is loading, in the form's own shape. */
function Waiting() {
  const text = useText(forumTexts);
  return (
    <div aria-hidden="true" className="card hidden p-5 in-data-[member]:block max-lg:p-3">
      <p className="flex min-h-11 items-center gap-2.5 px-2 text-quiet lg:hidden">
        <PenLine className="size-5 text-lead-text" />
        {text.forum.compose}
      </p>
      <div className="hidden h-[22.5rem] content-start gap-4 lg:grid">
        <p className="font-display text-[1.375rem] font-bold">{text.forum.create}</p>
        <Skeleton className="mt-7 h-11" />
        <Skeleton className="mt-7 h-28" />
      </div>
    </div>
  );
}
