import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { integer } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminMediaTexts } from '#app/lib/messages/admin/media.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Skeleton } from '#app/ui/layout/Skeleton.tsx';
import type { ReplaceablePlace } from '#contract/admin/media.ts';
import { useAdminFailure } from '../kit/failures.ts';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { LoadError } from '../kit/LoadError.tsx';
import { Uses } from './ImageCard.tsx';

interface ReplaceDialogProps {
  id: string;
  picker: ImagePicker;
  onClose: () => void;
}

/** Asks for the new image and lists every record that will show it, as loaded when the dialog opens. */
export function ReplaceDialog({ id, picker, onClose }: ReplaceDialogProps) {
  const { library } = useText(adminMediaTexts);
  const { dialog: messages } = library;
  const locale = useLocale();
  const failure = useAdminFailure();
  const queries = useQueryClient();
  const [url, setUrl] = useState<string | null>(null);
  const [missing, setMissing] = useState(false);
  const query = rpc.admin.media.read.queryOptions({ input: { id } });
  const image = useQuery({ ...query, staleTime: 0, gcTime: 0 });
  const uses = image.data?.shownIn ?? [];
  const changed = uses.filter(({ version }) => version !== null);
  const currentUses = uses.filter(({ version }) => version === null);
  const replace = useMutation({
    mutationFn: (to: string) =>
      client.admin.media.replace({
        id,
        url: to,
        seen: changed.map(({ place, record, version }) => ({
          place: place as ReplaceablePlace,
          record,
          version: version ?? 1,
        })),
      }),
    onSuccess: ({ replaced }) => {
      notify.success({ title: messages.done, text: messages.doneText(replaced, integer(replaced, locale)) });
      onClose();
      // Without the query of this dialog: its image is no longer used, so it no longer exists, and a refetch would fail.
      const ended = queries.getQueryCache().find({ queryKey: query.queryKey });
      for (const shown of [rpc.admin, rpc.projects, rpc.tokens])
        void queries.invalidateQueries({ queryKey: shown.key(), predicate: (one) => one !== ended });
    },
    onError: (error) => {
      notify.failed(error, { title: messages.failed, text: failure(error) });
      void image.refetch();
    },
  });
  const form = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(url === null);
    if (url !== null) replace.mutate(url);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !replace.isPending && onClose()}
      hasInput={url !== null}
      title={messages.title}
      actions={
        <>
          <Button onClick={onClose} disabled={replace.isPending}>
            {messages.cancel}
          </Button>
          <Button
            variant="primary"
            type="submit"
            form={form}
            busy={replace.isPending}
            busyLabel={messages.busy}
            disabled={changed.length === 0}
          >
            {messages.confirm}
          </Button>
        </>
      }
    >
      {image.isPending ? (
        <Skeleton className="h-24" />
      ) : image.isError ? (
        <LoadError what={library.failed} of={image} />
      ) : (
        <form id={form} onSubmit={submit} noValidate className="grid max-h-[60vh] grid-cols-1 gap-4 overflow-y-auto">
          {changed.length === 0 ? (
            <p role="status">{messages.nowhere}</p>
          ) : (
            <>
              {picker({
                label: messages.image,
                value: url,
                onChange: (next) => {
                  setUrl(next);
                  setMissing(false);
                },
                ...(missing ? { error: messages.needed } : {}),
              })}
              <div className="text-sm">
                <p>{messages.lead}</p>
                <Uses uses={changed} />
              </div>
            </>
          )}
          <div className="text-sm text-quiet">
            <p>{currentUses.length > 0 ? messages.stays : messages.ends}</p>
            <Uses uses={currentUses} />
          </div>
        </form>
      )}
    </Dialog>
  );
}
