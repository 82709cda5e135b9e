// What only members use of the forum, in one file that loads for them (lazy-parts.ts).
export { CommentActions } from './comments/CommentActions.tsx';
export { CommentBox } from './comments/CommentBox.tsx';
export { EditComment } from './comments/EditComment.tsx';
export { CollapsedText, HiddenQuote } from './moderation/CollapsedText.tsx';
export { EditPost, PostActions } from './posts/PostActions.tsx';
export { PostForm } from './posts/PostForm.tsx';
export { ReactionButtons } from './ReactionButtons.tsx';
