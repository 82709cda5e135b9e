import { useMutation, useQuery } from '@tanstack/react-query';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { dateTime } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminEditorialTexts } from '#app/lib/messages/admin/editorial.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Copyable } from '#app/ui/controls/Copyable.tsx';
import type { PreviewKind } from '#contract/admin/editorial.ts';
import { PREVIEW_DAYS } from '#contract/limits.ts';
import { useAdminFailure } from '../kit/failures.ts';

interface PreviewLinkProps {
  kind: PreviewKind;
  id: string | null;
  /** Names of the fields that have to be saved first. */
  missing?: string | undefined;
}

/** Creates a link that lets somebody without an account read a draft, and withdraws those that were made. */
export function PreviewLink({ kind, id, missing }: PreviewLinkProps) {
  const messages = useText(adminEditorialTexts).editorial.preview;
  const failure = useAdminFailure();
  const locale = useLocale();
  const href = useHref();
  const make = useMutation({
    mutationFn: () => client.admin.editorial.makePreview({ kind, id }),
    onSuccess: () => working.refetch(),
    onError: (error) => notify.failed(error, { title: messages.failed, text: failure(error) }),
  });
  const working = useQuery(
    rpc.admin.editorial.previews.queryOptions({ input: id === null ? { kind } : { kind, id }, staleTime: 0 }),
  );
  const withdraw = useMutation({
    mutationFn: () => client.admin.editorial.withdrawPreviews({ kind, id }),
    onSuccess: ({ withdrawn }) => {
      make.reset();
      notify.success({ title: messages.withdrawn(withdrawn) });
      return working.refetch();
    },
    onError: (error) => notify.failed(error, { title: messages.withdrawFailed, text: failure(error) }),
  });
  return (
    <section className="admin-sub grid gap-2" aria-label={messages.title}>
      <h3 className="text-sm font-semibold text-quiet">{messages.title}</h3>
      <p className="text-sm text-quiet">{messages.text(PREVIEW_DAYS)}</p>
      {make.data ? (
        <div role="status" className="flex flex-wrap items-center gap-2">
          <Copyable
            value={`${location.origin}${href(make.data.path)}`}
            label={messages.link}
            copiedLabel={messages.copied}
            head={14}
            tail={6}
          />
          <ButtonLink to={href(make.data.path)} size="sm" target="_blank" rel="noreferrer">
            {messages.open}
          </ButtonLink>
          <span className="text-sm text-quiet">{messages.until(dateTime(make.data.endsAt, locale))}</span>
        </div>
      ) : (
        <div className="flex flex-wrap items-center gap-3">
          <Button
            size="sm"
            busy={make.isPending}
            disabled={missing !== undefined}
            aria-describedby={missing === undefined ? undefined : `${kind}-missing`}
            onClick={() => make.mutate()}
          >
            {messages.make}
          </Button>
          {missing === undefined ? null : (
            <span id={`${kind}-missing`} className="text-sm text-quiet">
              {missing}
            </span>
          )}
        </div>
      )}
      {working.data?.lastEndsAt ? (
        <div className="flex flex-wrap items-center gap-3">
          <span className="text-sm text-quiet">
            {messages.working(working.data.links, dateTime(working.data.lastEndsAt, locale))}
          </span>
          <Button
            size="sm"
            busy={withdraw.isPending}
            busyLabel={messages.withdrawing}
            onClick={() => withdraw.mutate()}
          >
            {messages.withdraw(working.data.links)}
          </Button>
        </div>
      ) : null}
    </section>
  );
}
