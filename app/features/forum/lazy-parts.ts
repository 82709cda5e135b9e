import { type ComponentType, lazy } from 'react';
import { loadWithRetry } from '#app/lib/page/lazy-loading.ts';

type Parts = typeof import('./member-parts.ts');

/** A part of the forum for members: visitors never load it. */
const part = <Name extends keyof Parts>(name: Name) =>
  lazy(() =>
    loadWithRetry(() => import('./member-parts.ts')).then((parts) => ({
      default: parts[name] as ComponentType<Parameters<Parts[Name]>[0]>,
    })),
  );

export const CommentActions = part('CommentActions');
export const CommentBox = part('CommentBox');
export const EditComment = part('EditComment');
export const EditPost = part('EditPost');
export const PostActions = part('PostActions');
export const PostForm = part('PostForm');
