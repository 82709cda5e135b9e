import type { Context } from '#server/http/procedures.ts';
import type { Actor } from '#server/lib/audit.ts';
import type { Editor } from './records.service.ts';

/** Who edits, and when, for the functions of records.service.ts. */
export const editorOf = (context: Context & { actor: Actor }): Editor => ({ actor: context.actor, now: context.now() });
