import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { codeOf } from '#app/lib/api/failure.ts';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminPersonTexts } from '#app/lib/messages/admin/person.ts';
import { Button, IconButton } from '#app/ui/controls/Button.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { useAdminFailure } from '../kit/failures.ts';
import { notifyAndRefresh, useUndo } from '../kit/notices.ts';

interface HoldVotesProps {
  id: string;
  name: string;
  /** For rows: an icon, whose label names the person. */
  compact?: boolean;
}

/** Puts the counted votes of a person under review, with a reason; the notice undoes it. */
export function HoldVotes({ id, name, compact }: HoldVotesProps) {
  const messages = useText(adminPersonTexts).person.votes;
  const failure = useAdminFailure('users');
  const queries = useQueryClient();
  const [open, setOpen] = useState(false);
  const takeBack = useUndo();
  const withNotices = notifyAndRefresh(() =>
    Promise.all(
      [rpc.admin.people, rpc.admin.voteReview, rpc.admin.clusterVotes, rpc.admin.inbox].map((part) =>
        queries.invalidateQueries({ queryKey: part.key() }),
      ),
    ),
  );
  const undo = useMutation({
    mutationFn: (cluster: string) => client.admin.voteReview.release({ id: cluster, reason: messages.undoReason }),
    ...withNotices<Awaited<ReturnType<typeof client.admin.voteReview.release>>, string>(
      ({ changed, banned }) => ({
        title: messages.holdUndone(changed - banned),
        ...(banned > 0 ? { text: messages.holdStays } : {}),
      }),
      (error) => ({ title: messages.undoFailed, text: failure(error) }),
    ),
  });
  const hold = useMutation({
    mutationFn: (reason: string) => client.admin.voteReview.hold({ memberId: id, reason }),
    ...withNotices<Awaited<ReturnType<typeof client.admin.voteReview.hold>>, string>(
      ({ changed, cluster }) => ({ title: messages.held(changed), ...takeBack(() => undo.mutate(cluster.id)) }),
      (error) => ({
        title: messages.holdFailed,
        text: codeOf(error) === 'ALREADY_DONE' ? messages.nothingToHold : failure(error),
      }),
    ),
  });
  return (
    <>
      {compact ? (
        <IconButton size="sm" label={messages.holdOf(name)} onClick={() => setOpen(true)}>
          <ShieldAlert aria-hidden="true" />
        </IconButton>
      ) : (
        <Button size="sm" className="justify-self-start" onClick={() => setOpen(true)}>
          {messages.hold}
        </Button>
      )}
      <ConfirmDialog
        open={open}
        onClose={() => setOpen(false)}
        title={messages.holdTitle}
        question={name}
        text={messages.holdText}
        confirmLabel={messages.hold}
        busyLabel={messages.holding}
        harmless
        reason="required"
        onConfirm={(reason) => hold.mutateAsync(reason)}
      />
    </>
  );
}
