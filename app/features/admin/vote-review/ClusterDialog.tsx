import '../facts.css';
import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { duration } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminVoteReviewTexts } from '#app/lib/messages/admin/vote-review.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { ClusterVote, VoteCluster } from '#contract/admin/vote-review.ts';
import { LIST_EXPORT_PAGE } from '#contract/limits.ts';
import { Timeline } from '../audit/Timeline.tsx';
import { LoadError } from '../kit/LoadError.tsx';
import { CsvLink } from '../kit/list/CsvLink.tsx';
import { HoldVotes } from '../people/HoldVotes.tsx';
import { PersonLink } from '../people/PersonLink.tsx';

interface ClusterDialogProps {
  cluster: VoteCluster;
  name: string;
  onClose: () => void;
}

/** The votes of a cluster with their members and origins, all of them as a file, and all decisions about it. */
export function ClusterDialog({ cluster, name, onClose }: ClusterDialogProps) {
  const messages = useText(adminVoteReviewTexts).voteReview;
  const { detail } = messages;
  const votes = useQuery(
    rpc.admin.clusterVotes.list.queryOptions({ input: { id: cluster.id, size: LIST_EXPORT_PAGE } }),
  );
  const { data } = votes;
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={name}
      description={messages.reasons[cluster.signal](cluster.facts)}
      className="dialog-full"
      actions={
        <>
          <CsvLink
            className={buttonClass()}
            href={`/api/admin/cluster-votes.csv?${new URLSearchParams({ id: cluster.id })}`}
            label={detail.csvOf}
          >
            {detail.csv}
          </CsvLink>
          <Button onClick={onClose}>{detail.close}</Button>
        </>
      }
    >
      {votes.isPending ? (
        <SkeletonGroup label={detail.loading} className="grid gap-3">
          <Skeleton className="h-10" />
          <Skeleton className="h-48" />
        </SkeletonGroup>
      ) : votes.isError && !data ? (
        <LoadError what={detail.failed} of={votes} />
      ) : (
        <>
          <Votes rows={data?.rows ?? []} />
          {data && data.total > data.rows.length ? (
            <p className="text-sm text-quiet">{detail.more(data.rows.length, data.total)}</p>
          ) : null}
        </>
      )}
      <Timeline record={{ resourceType: 'vote_cluster', resourceId: cluster.id }} />
    </Dialog>
  );
}

function Votes({ rows }: { rows: ClusterVote[] }) {
  const messages = useText(adminVoteReviewTexts).voteReview;
  const locale = useLocale();
  const { detail } = messages;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard.
    <section className="mb-4 overflow-auto md:max-h-80" tabIndex={0} aria-label={detail.caption}>
      <table className="admin-table w-full text-sm">
        <thead>
          <tr>
            {[detail.member, messages.candidate, detail.at, detail.age, detail.network, detail.state].map((header) => (
              <th key={header} scope="col" className="text-left whitespace-normal!">
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((vote) => (
            <tr key={vote.id}>
              <td className="admin-lead">
                <PersonLink id={vote.memberId}>{vote.memberName}</PersonLink>
              </td>
              <td data-label={messages.candidate}>
                <span className="admin-word">{vote.candidateName}</span>
              </td>
              <td data-label={detail.at}>
                <When iso={vote.at} />
              </td>
              <td data-label={detail.age}>{duration(Math.max(0, vote.ageSeconds), locale)}</td>
              <td data-label={detail.network} className="figures whitespace-nowrap">
                {vote.network ?? detail.unknown}
              </td>
              <td data-label={detail.state}>
                <span className="inline-flex flex-wrap items-center gap-1">
                  <Badge tone={vote.state === 'void' ? 'coral' : vote.state === 'counted' ? 'mint' : 'lead'}>
                    {detail.states[vote.state]}
                  </Badge>
                  <HoldVotes id={vote.memberId} name={vote.memberName} compact />
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
