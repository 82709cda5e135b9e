import { type ComponentType, lazy } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';

type Parts = typeof import('./member-parts.ts');
type PropsOf<Part> = Part extends (props: infer Props) => unknown ? Props : never;

/** A part of the forum for members: visitors never load it. */
const part = <Name extends keyof Parts>(name: Name) =>
  lazy(() =>
    loadWithRetry(() => import('./member-parts.ts')).then((parts) => ({
      default: parts[name] as ComponentType<PropsOf<Parts[Name]>>,
    })),
  );

export const CollapsedText = part('CollapsedText');
export const CommentActions = part('CommentActions');
export const CommentBox = part('CommentBox');
export const EditComment = part('EditComment');
export const EditPost = part('EditPost');
export const HiddenQuote = part('HiddenQuote');
export const PostActions = part('PostActions');
export const PostForm = part('PostForm');
export const ReactionButtons = part('ReactionButtons');
