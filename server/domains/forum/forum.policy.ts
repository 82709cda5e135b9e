import { moderates, type Viewer } from '#server/lib/viewer.ts';

/** Properties of a post or comment that the policies use. */
export interface Written {
  /** Account of the author; null when it was deleted. */
  authorId: string | null;
  createdAt: Date;
}

/** True for moderators, and for admins with the same rights. */
export const isModerator = (viewer: Viewer): boolean => moderates(viewer);

/** Authors may delete their own texts; moderators and admins any. */
export const canDelete = (viewer: Viewer, written: Written): boolean =>
  written.authorId === viewer.id || isModerator(viewer);

/** Only authors may edit; `isEditable` checks the time limit. */
export const canEdit = (viewer: Viewer, written: Written): boolean => written.authorId === viewer.id;

/** @param minutes period after writing in which a text may be edited. */
export const isEditable = (written: Written, now: Date, minutes: number): boolean =>
  now.getTime() - written.createdAt.getTime() < minutes * 60_000;
