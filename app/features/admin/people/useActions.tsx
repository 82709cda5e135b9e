import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminPeopleTexts } from '#app/lib/messages/admin/people.ts';
import { type Notice, notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import type { Role } from '#contract/domains/auth.ts';
import { checkSession } from '../admin.queries.ts';
import { Cancelled, type Screen, useAdminFailure } from '../kit/failures.ts';
import { useUndo } from '../kit/notices.ts';

export const ROLE_TONE: Record<Role, Tone> = { admin: 'coral', moderator: 'sky', user: 'neutral' };

/** A wallet or id as lists shorten it: its first characters, and its last when it is long enough. */
export const cut = (value: string, first: number, last = 0): string =>
  value.length <= first + last ? value : `${value.slice(0, first)}…${last ? value.slice(-last) : ''}`;

/** Refetches the queries that show members, their roles, what was done to them, and the work that depends on them. */
export function useRefreshPeople(): () => Promise<unknown> {
  const queries = useQueryClient();
  const { users, roles, people, audit, moderatorRequests, forum, inbox, dashboard } = rpc.admin;
  return () =>
    Promise.all(
      [users, roles, people, audit, moderatorRequests, forum, inbox, dashboard].map((part) =>
        queries.invalidateQueries({ queryKey: part.key() }),
      ),
    );
}

interface Named {
  id: string;
  name: string;
}
interface Bulk {
  rows: Named[];
  work: (ids: string[]) => Promise<{ results: BulkOutcome[] }>;
  done: Notice;
  /** Reverses the action for these ids; offered in the notice of one, and below the outcomes of several. */
  undo?: ((ids: string[]) => Promise<unknown>) | undefined;
  /** Title of the notice on failure; the reason follows. */
  failed: string;
  /** Text of the failure, when the reason alone is not enough. */
  failedText?: (reason: string) => string;
  /** Delay before the lists are refetched. Milliseconds. */
  refreshAfter?: number;
}
interface Shown {
  rows: Named[];
  results: BulkOutcome[];
  undo?: Bulk['undo'];
  /** These are the outcomes of an undo. */
  undone: boolean;
}

/**
 * Runs an action on one record or on a selection, and reports the outcome: a notice for one, a line for each of several.
 * @param refreshAlso refetches queries other than those of members.
 * @returns `act` rejects when every record failed, so that a dialog stays open; `report` is rendered by the screen.
 */
export function useActions(screen: Screen = 'users', refreshAlso?: () => Promise<unknown>) {
  const text = useText(adminTexts, adminPeopleTexts);
  const messages = text.people;
  const failure = useAdminFailure(screen);
  const refreshPeople = useRefreshPeople();
  const refresh = refreshAlso ?? refreshPeople;
  const queries = useQueryClient();
  const offer = useUndo();
  const [shown, setShown] = useState<Shown | null>(null);
  // Only while `undo` is called, which runs its action before it returns.
  const reversal = useRef<Pick<Shown, 'undone'> | null>(null);

  const codes: Record<string, string> = { ...text.failure, VERSION_CONFLICT: text.admin.changed, ...messages.codes };
  const reasonOf = (code: string | null) => codes[code ?? ''] ?? messages.unknownError;

  async function runBulk({ rows, work, done, undo, failed, failedText, refreshAfter = 0 }: Bulk): Promise<void> {
    const reversed = reversal.current;
    const noticeOf = (reason: string) => ({ title: failed, text: failedText ? failedText(reason) : reason });
    try {
      const { results } = await work(rows.map(({ id }) => id));
      const [first] = results;
      if (reversed || results.length > 1) setShown({ rows, results, undo, undone: reversed?.undone ?? false });
      else if (first?.outcome === 'done')
        notify.success({ ...done, ...(undo ? offer(() => undo([first.id]).catch(() => {})) : {}) });
      else if (first?.outcome === 'unchanged') notify.success({ title: messages.results.unchanged });
      else notify.error(noticeOf(reasonOf(first?.code ?? null)));
      if (results.every(({ outcome }) => outcome === 'refused')) throw new Refused();
    } catch (error) {
      checkSession(queries, error);
      // The step-up dialog was closed: nothing happened. A refused record has its notice already.
      if (!(error instanceof Cancelled) && !(error instanceof Refused))
        notify.failed(error, noticeOf(codeOf(error) === 'UNEXPECTED' ? messages.unknownError : failure(error)));
      throw error;
    } finally {
      setTimeout(() => void refresh(), refreshAfter);
    }
  }

  /** Undoes the reported action, or redoes it after an undo. Its outcomes replace the reported ones; a failure has its own notice. */
  async function reverse({ undo, undone, results }: Shown): Promise<void> {
    const done = results.filter(({ outcome }) => outcome === 'done').map(({ id }) => id);
    reversal.current = { undone: !undone };
    const work = undo?.(done);
    reversal.current = null;
    await work?.catch(() => {});
  }

  const report = <Report shown={shown} reasonOf={reasonOf} onReverse={reverse} onClose={() => setShown(null)} />;
  return { runBulk, report };
}

class Refused extends Error {}

const TONE: Record<BulkOutcome['outcome'], Tone> = { done: 'mint', unchanged: 'neutral', refused: 'coral' };

interface ReportProps {
  shown: Shown | null;
  reasonOf: (code: string | null) => string;
  onReverse: (shown: Shown) => Promise<void>;
  onClose: () => void;
}

function Report(props: ReportProps) {
  const messages = useText(adminPeopleTexts).people;
  const { shown, reasonOf, onReverse, onClose } = props;
  const { admin } = useText(adminTexts);
  const results = shown?.results ?? [];
  const done = results.filter(({ outcome }) => outcome === 'done').length;
  const undone = shown?.undone ?? false;
  const summary = messages.results[undone ? 'undoneSummary' : 'summary'](done, results.length);
  const [busy, setBusy] = useState(false);
  const close = useRef<HTMLButtonElement>(null);
  const nameOf = (id: string) => shown?.rows.find((row) => row.id === id)?.name ?? id;
  return (
    <Dialog
      open={shown !== null}
      onOpenChange={(open) => !open && onClose()}
      title={messages.results.title}
      // Announced when an undo changes it.
      description={<span role="status">{summary}</span>}
      actions={
        <>
          {shown?.undo && done > 0 ? (
            <Button
              busy={busy}
              onClick={async () => {
                setBusy(true);
                await onReverse(shown);
                setBusy(false);
                // This button is gone, or does the opposite.
                close.current?.focus();
              }}
            >
              {undone ? messages.redo : admin.list.undo}
            </Button>
          ) : null}
          <Button ref={close} variant="primary" onClick={onClose}>
            {messages.close}
          </Button>
        </>
      }
    >
      <section
        aria-label={messages.results.title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard.
        tabIndex={0}
        data-region
        className="max-h-72 overflow-y-auto"
      >
        <ul className="grid gap-2">
          {results.map(({ id, outcome, code, by }) => (
            <li key={id} className="flex flex-wrap items-center gap-2">
              <Badge tone={TONE[outcome]}>{messages.results[undone && outcome === 'done' ? 'undone' : outcome]}</Badge>
              <span className="min-w-0 break-words">{nameOf(id)}</span>
              {code ? (
                <span className="text-sm text-quiet">
                  {by ? messages.results[code === 'TAKEN' ? 'heldBy' : 'by'](by) : reasonOf(code)}
                </span>
              ) : null}
            </li>
          ))}
        </ul>
      </section>
    </Dialog>
  );
}
