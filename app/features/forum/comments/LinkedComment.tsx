import { useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import type { Post } from '#contract/domains/forum.ts';
import { commentAnchor, commentOfAnchor } from '#contract/text/comment-anchor.ts';

interface LinkedCommentProps {
  post: Post;
  /** Loads the comments that are not loaded yet. */
  onMissing: () => void;
}

/** Moves the focus to the comment that the address names, once it is loaded. Renders nothing. */
export function LinkedComment({ post, onMissing }: LinkedCommentProps) {
  const { hash, key } = useLocation();
  const id = commentOfAnchor(hash);
  const held = post.comments.some((comment) => comment.id === id);
  const missing = id !== undefined && !held && post.commentsCursor !== null;
  /** The navigations that were answered: later changes of the list must not scroll again. */
  const requested = useRef<string>(null);
  const focused = useRef<string>(null);
  useEffect(() => {
    if (!missing || requested.current === key) return;
    requested.current = key;
    onMissing();
  }, [missing, key, onMissing]);
  useEffect(() => {
    if (id === undefined || !held || focused.current === key) return;
    const item = document.getElementById(commentAnchor(id))?.querySelector<HTMLElement>(':scope > article');
    if (!item) return;
    focused.current = key;
    item.tabIndex = -1;
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: 'center' });
  }, [id, held, key]);
  return null;
}
