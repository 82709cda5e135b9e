import { z } from 'zod';
import { ANY_STAFF } from '../staff.ts';
import { adminRead, adminWrite } from './shared/list.ts';

const list = z.string().regex(/^[a-z][a-z-]{0,40}$/);

const listPreferences = z.strictObject({
  /** Columns that are not shown, by their keys. */
  hidden: z.array(z.string().min(1).max(40)).max(50),
  /** Named filters; `query` is the query string of the list's address, without '?'. */
  views: z.array(z.strictObject({ name: z.string().trim().min(1).max(60), query: z.string().max(500) })).max(30),
});
export type StoredList = z.infer<typeof listPreferences>;

/** The caller's own settings of a list of the back office. */
export const adminLists = {
  read: adminRead('/lists/{list}', 'My columns and named filters of a list', ANY_STAFF)
    .input(z.strictObject({ list }))
    .output(listPreferences),
  save: adminWrite('PUT', '/lists/{list}', 'Keep my columns and named filters of a list', ANY_STAFF)
    .input(listPreferences.extend({ list }))
    .output(listPreferences),
};
