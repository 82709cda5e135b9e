import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { useLoadMore } from '#app/ui/controls/useLoadMore.ts';
import type { MailboxPart, OlderOfMailbox } from '#contract/admin/mailboxes.ts';
import type { OlderOfPerson, PersonPart } from '#contract/admin/people.ts';
import { LoadError } from '../kit/LoadError.tsx';

type Whose<Part extends PersonPart> = { id: string } | (Part extends MailboxPart ? { address: string } : never);
/** Whose page it is, an account's or that of a mailbox without one, and the cursor of the records older than the newest ones. */
export type OlderThan<Part extends PersonPart> = Whose<Part> & { after: string | null };

type Row<Part extends PersonPart> = Extract<OlderOfPerson, { part: Part }>['rows'][number];

interface WithOlder<Part extends PersonPart> {
  /** The newest records, and the older ones that were fetched. */
  rows: Row<Part>[];
  /** For the list of them: the first row that 'show more' added gets the focus. */
  list: RefObject<HTMLUListElement | null>;
  /** The button below the list, while there are more. */
  more: ReactNode;
}

/** @param title heading of the part, which names its button. */
export function useOlder<Part extends PersonPart>(
  part: Part,
  title: string,
  newest: Row<Part>[],
  { after, ...whose }: OlderThan<Part>,
): WithOlder<Part> {
  const messages = useText(adminPersonTexts).person.older;
  const [open, setOpen] = useState(false);
  const { people, mailboxes } = rpc.admin;
  const pages = useInfiniteQuery({
    // When a newer record moves the cursor, the pages after it are other ones.
    queryKey: [...('id' in whose ? people : mailboxes).older.key(), { ...whose, part, after }],
    queryFn: ({ pageParam, signal }): Promise<OlderOfPerson | OlderOfMailbox> =>
      'id' in whose
        ? client.admin.people.older({ id: whose.id, part, after: pageParam }, { signal })
        : client.admin.mailboxes.older(
            { address: (whose as { address: string }).address, part: part as MailboxPart, after: pageParam },
            { signal },
          ),
    initialPageParam: after ?? '',
    getNextPageParam: ({ next }) => next,
    enabled: open && after !== null,
  });
  const rows = [...newest, ...(pages.data?.pages.flatMap((page) => page.rows as Row<Part>[]) ?? [])];
  const { list, button } = useLoadMore<HTMLUListElement>(rows.length, pages.isFetching, ':scope > li', () =>
    open ? pages.fetchNextPage() : setOpen(true),
  );
  const isMore = after !== null && (!pages.data || pages.hasNextPage);
  const more = pages.isError ? (
    <LoadError
      what={messages.failed}
      of={{ error: pages.error, refetch: pages.data ? pages.fetchNextPage : pages.refetch }}
      screen="users"
      className="grid justify-items-start gap-2"
    />
  ) : isMore ? (
    <Button size="sm" className="justify-self-start" aria-label={messages.moreOf(title)} {...button}>
      {messages.more}
    </Button>
  ) : null;
  return { rows, list, more };
}
