import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ExternalLink } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { client, rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { adminCreationTexts } from '#app/lib/messages/admin/token-creation/creation-part.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { Showcased } from '#contract/admin/showcase.ts';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import { useResemblance } from '../kit/records/useResemblance.tsx';
import { IfAllowed } from '../kit/rights.tsx';

const KINDS = ['project', 'candidate', 'next'] as const;
const EDITS = { project: 'projects.update', candidate: 'candidates.update', next: 'nextProjects.update' } as const;
const SCREENS = { project: '/admin/projects', candidate: '/admin/votes', next: '/admin/next-projects' } as const;

/** Publishes a created token: one question for each place where it can be shown. */
export function ShowcasePart({ requestId }: { requestId: string }) {
  const messages = useText(adminCreationTexts).creation.showcase;
  const failure = useAdminFailure('tokens');
  const queries = useQueryClient();
  const { data: made, isError } = useQuery(rpc.admin.showcase.list.queryOptions({ input: { requestId } }));
  const [requested, setRequested] = useState<Showcased['kind'] | null>(null);
  const resemblance = useResemblance();
  const add = useMutation({
    mutationFn: (as: Showcased['kind']) =>
      resemblance.save((resemblanceAccepted) => client.admin.showcase.add({ requestId, as, resemblanceAccepted })),
    onSuccess: ({ kind, tokenName }) => notify.success({ title: messages.done[kind], text: tokenName }),
    onError: (error) => {
      if (!(error instanceof Cancelled)) notify.failed(error, { title: messages.failed, text: failure(error) });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: rpc.admin.key() }),
  });
  if (!made) return isError ? <p role="alert">{messages.unread}</p> : null;
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={messages.heading}>
      <h4 className="text-sm font-semibold">{messages.heading}</h4>
      <p className="text-sm text-quiet">{messages.text}</p>
      <ul className="grid grid-cols-1 gap-2">
        {KINDS.map((kind) => {
          const there = made.find((one) => one.kind === kind && !one.deleted);
          return (
            <li key={kind} className="flex min-h-10 flex-wrap items-center justify-between gap-2">
              <span>{messages.kinds[kind]}</span>
              {there ? (
                <Shown one={there} />
              ) : (
                <Button
                  size="sm"
                  busy={add.isPending && add.variables === kind}
                  busyLabel={messages.busy}
                  disabled={add.isPending}
                  onClick={() => setRequested(kind)}
                  aria-label={messages.make[kind]}
                >
                  {messages.publish}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        open={requested !== null}
        onClose={() => setRequested(null)}
        title={requested ? messages.make[requested] : ''}
        text={
          <>
            <span className="block">{requested ? messages.follows[requested] : null}</span>
            <span className="mt-1 block">{messages.later}</span>
          </>
        }
        confirmLabel={messages.publish}
        busyLabel={messages.busy}
        harmless
        onConfirm={() => (requested ? add.mutateAsync(requested) : Promise.resolve())}
      />
      {resemblance.question}
    </section>
  );
}

function Shown({ one }: { one: Showcased }) {
  const messages = useText(adminCreationTexts).creation.showcase;
  const href = useHref();
  return (
    <span className="flex flex-wrap items-center gap-3 text-sm">
      <Badge tone="mint">{messages.shown}</Badge>
      <IfAllowed call={EDITS[one.kind]}>
        <Link className="link" to={href(SCREENS[one.kind])}>
          {messages.edit}
        </Link>
      </IfAllowed>
      <a
        className="link inline-flex items-center gap-1"
        href={href(`/token/${one.slug}`)}
        target="_blank"
        rel="noreferrer"
      >
        {messages.page}
        <ExternalLink aria-hidden="true" className="size-4" />
      </a>
    </span>
  );
}
