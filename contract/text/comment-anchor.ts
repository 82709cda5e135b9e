const ANCHOR = /^#comment-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The fragment of a post's address that names one of its comments, without '#'. */
export const commentAnchor = (commentId: string): string => `comment-${commentId}`;

/** The comment that a fragment with its '#' names; undefined for any other fragment. */
export const commentOfAnchor = (hash: string): string | undefined => ANCHOR.exec(hash)?.[1];
