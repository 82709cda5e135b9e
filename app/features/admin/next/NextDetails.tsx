import { Crown, Star } from 'lucide-react';
import { when } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminNextTexts } from '#app/lib/messages/admin/next.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import { PODIUM_SLOTS } from '#contract/limits.ts';
import { Fact } from '../projects/form-parts.tsx';
import { AddressFacts, type DetailsProps, TeamFacts, TokenDetails, WordFacts } from '../projects/TokenDetails.tsx';

const TONES: Record<AdminNextProject['status'], Tone> = { pending: 'lead', published: 'mint', launched: 'sky' };

/** Status, winner, featured, Top N, and whether it is switched off. */
export function NextBadges({ project }: { project: AdminNextProject }) {
  const words = useText(adminNextTexts).next;
  return (
    <>
      <Badge tone={TONES[project.status]}>{words.status[project.status]}</Badge>
      {project.isVotingWinner ? (
        <Badge tone="lead">
          <Crown aria-hidden="true" />
          {words.winner}
        </Badge>
      ) : null}
      {project.isFeatured ? (
        <Badge>
          <Star aria-hidden="true" />
          {words.featured}
        </Badge>
      ) : null}
      {project.orderIndex >= 1 && project.orderIndex <= PODIUM_SLOTS ? (
        <Badge>{words.top(project.orderIndex)}</Badge>
      ) : null}
      {project.isActive ? null : <Badge tone="coral">{words.inactive}</Badge>}
    </>
  );
}

/** Everything about a NEXT project, to read. */
export function NextDetails(props: DetailsProps<AdminNextProject>) {
  const { project } = props;
  const { field } = useText(adminProjectsTexts).projects;
  const words = useText(adminNextTexts).next;
  const locale = useLocale();
  const date = (iso: string | null) => (iso ? when(iso, locale) : words.noDate);
  return (
    <TokenDetails {...props} badges={<NextBadges project={project} />}>
      <section>
        <h3 className="mb-1.5 text-[1.0625rem]">{words.part.launch}</h3>
        <dl className="admin-facts">
          <Fact name={words.launchDate}>{date(project.launchDate)}</Fact>
          <Fact name={words.countdownEnd}>{date(project.countdownEnd)}</Fact>
          <Fact name={field.progressPercentage}>{`${project.progressPercentage} %`}</Fact>
          <Fact name={words.field.price}>{project.price}</Fact>
          <Fact name={field.marketCap}>{project.marketCap}</Fact>
          <Fact name={field.orderIndex}>{project.orderIndex}</Fact>
        </dl>
      </section>
      <section>
        <h3 className="mb-1.5 text-[1.0625rem]">{words.part.token}</h3>
        <dl className="admin-facts">
          <AddressFacts project={project} />
          <WordFacts project={project} noDescription={words.noDescription} />
        </dl>
      </section>
      <section>
        <h3 className="mb-1.5 text-[1.0625rem]">{words.part.notes}</h3>
        <dl className="admin-facts">
          <TeamFacts project={project} />
          <Fact name={words.field.createdAt}>{when(project.createdAt, locale)}</Fact>
          <Fact name={words.field.updatedAt}>{when(project.updatedAt, locale)}</Fact>
          <Fact name={words.field.votingRoundId} wide>
            {project.votingRoundId ? <span className="figures break-all">{project.votingRoundId}</span> : null}
          </Fact>
        </dl>
      </section>
    </TokenDetails>
  );
}
