import type { Actor } from '#server/lib/audit.ts';
import type { Editor } from './records.ts';

/** The acting person and the time, from the context of an admin procedure. */
export const editorOf = (context: { actor: Actor; now: () => Date }): Editor => ({
  actor: context.actor,
  now: context.now(),
});
