import { moderates, type Viewer } from '#server/lib/viewer.ts';

/** What a policy needs to know of a post or comment. */
export interface Written {
  /** Account of the author; null when it was deleted. */
  authorId: string | null;
  createdAt: Date;
}

/** Moderators, and the admins who may do the same. */
export const isModerator = (viewer: Viewer): boolean => moderates(viewer);

/** Authors remove what is theirs; moderators and admins anything. */
export const canDelete = (viewer: Viewer, written: Written): boolean =>
  written.authorId === viewer.id || isModerator(viewer);

/** Authors alone edit; for how long is `isEditable`'s business. */
export const canEdit = (viewer: Viewer, written: Written): boolean => written.authorId === viewer.id;

/** @param minutes how long after writing a text may still be changed. */
export const isEditable = (written: Written, now: Date, minutes: number): boolean =>
  now.getTime() - written.createdAt.getTime() < minutes * 60_000;
