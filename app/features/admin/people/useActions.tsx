import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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

/** Refetches the queries that show members, their roles and the work that depends on them. */
export function useRefreshPeople(): () => Promise<unknown> {
  const queries = useQueryClient();
  const { users, roles, moderatorRequests, forum, inbox, dashboard } = rpc.admin;
  return () =>
    Promise.all(
      [users, roles, moderatorRequests, forum, inbox, dashboard].map((part) =>
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

  const codes: Record<string, string> = { ...text.failure, VERSION_CONFLICT: text.admin.changed, ...messages.codes };
  const reasonOf = (code: string | null) => codes[code ?? ''] ?? messages.unknownError;

  async function runBulk({ rows, work, done, undo, failed, failedText, refreshAfter = 0 }: Bulk): Promise<void> {
    const noticeOf = (reason: string) => ({ title: failed, text: failedText ? failedText(reason) : reason });
    try {
      const { results } = await work(rows.map(({ id }) => id));
      const [first] = results;
      if (results.length > 1) setShown({ rows, results, undo });
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

  const report = <Report shown={shown} reasonOf={reasonOf} onClose={() => setShown(null)} />;
  return { runBulk, report };
}

class Refused extends Error {}

const TONE: Record<BulkOutcome['outcome'], Tone> = { done: 'mint', unchanged: 'neutral', refused: 'coral' };

function Report(props: { shown: Shown | null; reasonOf: (code: string | null) => string; onClose: () => void }) {
  const messages = useText(adminPeopleTexts).people;
  const { shown, reasonOf, onClose } = props;
  const { admin } = useText(adminTexts);
  const results = shown?.results ?? [];
  const undo = shown?.undo;
  const done = results.filter(({ outcome }) => outcome === 'done').map(({ id }) => id);
  const nameOf = (id: string) => shown?.rows.find((row) => row.id === id)?.name ?? id;
  return (
    <Dialog
      open={shown !== null}
      onOpenChange={(open) => !open && onClose()}
      title={messages.results.title}
      description={messages.results.summary(done.length, results.length)}
      actions={
        <>
          {undo && done.length > 0 ? (
            <Button
              onClick={() => {
                onClose();
                // The undo shows its own notice on failure.
                undo(done).catch(() => {});
              }}
            >
              {admin.list.undo}
            </Button>
          ) : null}
          <Button variant="primary" onClick={onClose}>
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
          {results.map(({ id, outcome, code }) => (
            <li key={id} className="flex flex-wrap items-center gap-2">
              <Badge tone={TONE[outcome]}>{messages.results[outcome]}</Badge>
              <span className="min-w-0 break-words">{nameOf(id)}</span>
              {code ? <span className="text-sm text-quiet">{reasonOf(code)}</span> : null}
            </li>
          ))}
        </ul>
      </section>
    </Dialog>
  );
}
