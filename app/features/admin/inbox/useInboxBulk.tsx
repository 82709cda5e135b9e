import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminInboxTexts } from '#app/lib/messages/admin/inbox.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { InboxAction, InboxItem } from '#contract/admin/inbox.ts';
import type { BulkOutcome } from '#contract/admin/shared/bulk.ts';
import { BULK_MAX } from '#contract/limits.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useActions } from '../people/useActions.tsx';

/** Ids are unique within a source only. */
export const keyOf = ({ source, id }: Pick<InboxItem, 'source' | 'id'>): string => `${source}/${id}`;

/** The action that undoes another one; the other actions cannot be undone. */
const UNDO: Partial<Record<InboxAction, InboxAction>> = { take: 'undo_take', release: 'undo_release' };

interface Question {
  action: 'keep' | 'discard';
  items: InboxItem[];
  clear: () => void;
}

/** Sends several calls when one would have too many items; items after a failed call are reported as refused with its error. */
async function changeAll(action: InboxAction, items: InboxItem[]): Promise<{ results: BulkOutcome[] }> {
  const results: BulkOutcome[] = [];
  for (let from = 0; from < items.length; from += BULK_MAX) {
    const part = items.slice(from, from + BULK_MAX);
    try {
      const answer = await client.admin.inbox.changeMany({
        action,
        items: part.map(({ source, id }) => ({ source, id })),
      });
      results.push(...answer.results.map(({ source, id, ...result }) => ({ id: keyOf({ source, id }), ...result })));
    } catch (error) {
      if (from === 0) throw error;
      const code = codeOf(error);
      results.push(...items.slice(from).map((item) => ({ id: keyOf(item), outcome: 'refused' as const, code })));
      break;
    }
  }
  return { results };
}

/** One action on several items of the inbox: take or release them, and the decisions that need no page of their own (`InboxAction`). */
export function useInboxBulk(nameOf: (item: InboxItem) => string): {
  bulk: (selected: InboxItem[], clear: () => void) => ReactNode;
  dialogs: ReactNode;
} {
  const messages = useText(adminInboxTexts).inbox;
  const queries = useQueryClient();
  const [question, setQuestion] = useState<Question | null>(null);
  const { runBulk, report } = useActions('other', () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: rpc.admin.inbox.key() }),
      queries.invalidateQueries({ queryKey: rpc.admin.dashboard.counts.key() }),
    ]),
  );
  const titles: Record<InboxAction, string> = {
    take: messages.bulk.taken,
    undo_take: messages.bulk.undone,
    release: messages.bulk.released,
    undo_release: messages.bulk.undone,
    keep: messages.toast.kept,
    retry: messages.toast.retried,
    discard: messages.toast.discarded,
  };
  const run = (action: InboxAction, items: InboxItem[]): Promise<void> => {
    const undo = UNDO[action];
    return runBulk({
      rows: items.map((item) => ({ id: keyOf(item), name: nameOf(item) })),
      work: () => changeAll(action, items),
      done: { title: titles[action] },
      failed: messages.bulk.failed,
      undo: undo
        ? (keys) =>
            run(
              undo,
              items.filter((item) => keys.includes(keyOf(item))),
            )
        : undefined,
    });
  };
  async function confirmed(): Promise<void> {
    if (!question) return;
    await run(question.action, question.items);
    question.clear();
  }
  const button = (action: 'take' | 'release' | 'retry', selected: InboxItem[], clear: () => void) => (
    // Failures have a notice of their own.
    <Button key={action} size="sm" onClick={() => void run(action, selected).then(clear, () => {})}>
      {messages.bulk[action]}
    </Button>
  );
  return {
    bulk: (selected, clear) => {
      const only = (source: InboxItem['source']) => selected.every((item) => item.source === source);
      return (
        <>
          {button('take', selected, clear)}
          {button('release', selected, clear)}
          {only('report') ? (
            <Button size="sm" onClick={() => setQuestion({ action: 'keep', items: selected, clear })}>
              {messages.bulk.keep}
            </Button>
          ) : null}
          {only('job') ? (
            <>
              {button('retry', selected, clear)}
              <Button size="sm" onClick={() => setQuestion({ action: 'discard', items: selected, clear })}>
                {messages.bulk.discard}
              </Button>
            </>
          ) : null}
        </>
      );
    },
    dialogs: (
      <>
        <ConfirmDialog
          open={question?.action === 'keep'}
          onClose={() => setQuestion(null)}
          title={messages.bulk.keepTitle}
          question={question ? messages.bulk.texts(question.items.length) : null}
          text={messages.bulk.keepText}
          confirmLabel={messages.bulk.keep}
          busyLabel={messages.keeping}
          harmless
          onConfirm={confirmed}
        />
        <ConfirmDialog
          open={question?.action === 'discard'}
          onClose={() => setQuestion(null)}
          title={messages.bulk.discardTitle}
          question={question ? messages.bulk.jobs(question.items.length) : null}
          text={messages.bulk.discardText}
          confirmLabel={messages.bulk.discard}
          busyLabel={messages.discarding}
          onConfirm={confirmed}
        />
        {report}
      </>
    ),
  };
}
