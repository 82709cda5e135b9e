import { createRouterClient, ORPCError } from '@orpc/server';
import { z } from 'zod';
import { LIST_EXPORT_PAGE, LIST_PAGE } from '#contract/limits.ts';
import type { Context } from '#server/http/context.ts';
import { actorOf } from '#server/http/context.ts';
import { audit } from '#server/lib/audit.ts';
import { router } from '#server/router.ts';
import { withoutAdminEmail } from './admin-email.ts';
import { fileForPeople, isDollars } from './file-values.ts';
import { type Column, columnsOf, textOf, valueAt } from './list-columns.ts';
import { requireStepUp } from './procedures.ts';

type Row = Record<string, unknown>;
/** Reads a page of a back office list: by page number with a total, or by a cursor. */
type Read = (input: Row) => Promise<{ rows: Row[]; total?: number; nextCursor?: string | null }>;

/**
 * GET /api/admin/<list>.csv: exports all pages of a list as displayed, with its filters and order. Every page is read by the
 * list's own procedure, so rights, filters and columns are the same as on the screen. The export is audited.
 *
 * `headings`, 'es' or 'en', makes a file for people of the lists that have one: headings in words, names instead of codes, amounts with
 * decimals. Without it the columns are the fields of the API, with their names, units and codes (`columnsOf`).
 *
 * `only`, ids separated by commas, limits the file to these rows, at most one page of them; rows that are no longer in the list are
 * omitted.
 *
 * @returns null when there is no such list.
 * @throws BAD_REQUEST for more than a page of ids, `headings` of a list without such a file, errors of the procedure, and STEP_UP_NEEDED when
 *   the rows of the first page contain contact data of people and the last step-up is too old. Where only a later page does, the response
 *   fails before that page.
 */
export async function exportList(context: Context, file: string, query: URLSearchParams): Promise<Response | null> {
  const name = file.replace(/\.csv$/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const lists = createRouterClient(router, { context }).admin as unknown as Record<string, { list?: Read } | undefined>;
  if (!Object.hasOwn(router.admin, name) || !Object.hasOwn(router.admin[name as never], 'list')) return null;
  const read = lists[name]?.list;
  if (!read) return null;
  const input = (await withoutAdminEmail(context, Object.fromEntries(query))) as Row;
  const filter = Object.fromEntries(
    Object.entries(input).filter(([key]) => !['page', 'size', 'cursor', 'only', 'headings'].includes(key)),
  );
  const only = idsOf(input['only']);
  const first = await read({ ...filter, size: LIST_EXPORT_PAGE });
  // Procedures without rows, such as settings and site pages, have no export.
  if (!Array.isArray((first as { rows?: unknown }).rows)) return null;
  const forPeople = await fileForPeople(context.reads, name, input['headings']);
  const viewer = await context.viewer();
  const refuseAddresses = (rows: readonly Row[]): void => {
    if (viewer && rows.some(holdsAddresses)) requireStepUp(viewer);
  };
  refuseAddresses(first.rows);
  await context.db.transaction((tx) =>
    audit(tx, actorOf(context, viewer), {
      action: 'list.exported',
      resourceType: 'list',
      resourceId: name,
      after: only ? { ...filter, only: [...only].join(',') } : filter,
    }),
  );

  const columns = forPeople
    ? Object.keys(forPeople.headings).map((name): Column => ({ name, path: name.split('.') }))
    : (columnsOf(rowsOf(name)) ?? Object.keys(first.rows[0] ?? {}).map((name): Column => ({ name, path: [name] })));
  const heads = forPeople ? Object.values(forPeople.headings) : columns.map(({ name }) => name);
  const lineOf = (row: Row) =>
    columns
      .map(({ name, path, named }) => {
        const value = valueAt(row, path);
        return cell(forPeople ? forPeople.value(name, value) : value, named);
      })
      .join(',');
  let page = first;
  let number = 1;
  let started = false;
  let missing = only?.size ?? Number.POSITIVE_INFINITY;
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        if (started) {
          // The total of a search only shows that there are more rows.
          const more = page.nextCursor ?? (page.total !== undefined && page.rows.length === LIST_EXPORT_PAGE);
          if (!more || missing === 0) return controller.close();
          const where = page.nextCursor ? { cursor: page.nextCursor } : { page: ++number };
          page = await read({ ...filter, ...where, size: LIST_EXPORT_PAGE });
          // The response has begun: the file ends before this page.
          refuseAddresses(page.rows);
        }
        // Spreadsheets recognise UTF-8 by the byte order mark.
        const head = started ? '' : `\ufeff${heads.map((head) => cell(head)).join(',')}\r\n`;
        started = true;
        const rows = only ? page.rows.filter(({ id }) => only.has(String(id))) : page.rows;
        missing -= rows.length;
        controller.enqueue(encoder.encode(head + rows.map((row) => `${lineOf(row)}\r\n`).join('')));
      } catch (error) {
        controller.error(error);
      }
    },
  });
  const day = context.now().toISOString().slice(0, 10);
  return new Response(body, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${file.replace(/\.csv$/, '')}-${day}.csv"`,
      'cache-control': 'no-store',
    },
  });
}

/** The schema of the rows of a list. */
function rowsOf(list: string): unknown {
  const { list: procedure } = router.admin[list as 'networks'];
  const output: unknown = procedure['~orpc'].outputSchema;
  return output instanceof z.ZodObject ? output.shape['rows']?.element : undefined;
}

/** The ids of a selection; null when the whole list is exported. */
function idsOf(only: unknown): Set<string> | null {
  if (typeof only !== 'string') return null;
  const ids = new Set(only.split(',').filter(Boolean));
  if (ids.size === 0 || ids.size > LIST_PAGE) throw new ORPCError('BAD_REQUEST');
  return ids;
}

/** Fields with contact data; what the audit log stores of a record, `before` and `after` a change, may be such data. */
const ADDRESS = /mail|contact|telegram|^(before|after)$/i;

/** A mailbox, which also stands for the name of a person without one. */
const MAILBOX = /^[^\s@/:]+@[^\s@/]+\.[^\s@/]+$/;

/** True when a row, or a nested object in it, has a field with contact data of a person, or a mailbox in any other field. */
const holdsAddresses = (row: unknown): boolean =>
  typeof row === 'string'
    ? MAILBOX.test(row)
    : typeof row === 'object' &&
      row !== null &&
      Object.entries(row).some(([name, value]) => ADDRESS.test(name) || holdsAddresses(value));

/**
 * Positions where a spreadsheet may recognise a formula: at the start of a cell, and after characters that some programs treat
 * as a separator of cells or rows, whatever our own separator is. Spreadsheets skip white space and quotes, and accept
 * full-width forms of the characters.
 */
const FORMULA = /(?<=(?:^|[;\t\r\n|])[\s"']*)[=+\-@\uff1d\uff0b\uff0d\uff20]/g;

/** Spreadsheets evaluate text that begins like a formula, so it gets a leading apostrophe. */
function cell(value: unknown, named = false): string {
  if (value === null || value === undefined) return '';
  if (isDollars(value)) return (value.cents / 100).toFixed(2);
  const plain = textOf(value, named);
  const safe = typeof value === 'number' ? plain : plain.replace(/^(?=[\t\r])/, "'").replace(FORMULA, "'$&");
  return /[",;|\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** An error as the REST form of the API returns it. */
export function refusalOf(error: unknown): Response {
  if (!(error instanceof ORPCError)) throw error;
  const { retryAfter } = (error.data ?? {}) as { retryAfter?: number };
  return Response.json(error.toJSON(), {
    status: error.status,
    headers: { 'cache-control': 'no-store', ...(retryAfter ? { 'retry-after': String(retryAfter) } : {}) },
  });
}
