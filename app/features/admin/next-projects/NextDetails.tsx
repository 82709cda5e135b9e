import { Crown, Star } from 'lucide-react';
import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminNextTexts } from '#app/lib/messages/admin/next-projects.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import { PODIUM_SLOTS } from '#contract/limits.ts';
import { Fact } from '../projects/form-parts.tsx';
import { AddressFacts, type DetailsProps, TeamFacts, TextFacts, TokenDetails } from '../projects/TokenDetails.tsx';

const TONES: Record<AdminNextProject['status'], Tone> = { pending: 'lead', published: 'mint', launched: 'sky' };

/** Status, winner, featured, Top N, and disabled. */
export function NextBadges({ project }: { project: AdminNextProject }) {
  const messages = useText(adminNextTexts).next;
  return (
    <>
      <Badge tone={TONES[project.status]}>{messages.status[project.status]}</Badge>
      {project.isVotingWinner ? (
        <Badge tone="lead">
          <Crown aria-hidden="true" />
          {messages.winner}
        </Badge>
      ) : null}
      {project.isFeatured ? (
        <Badge>
          <Star aria-hidden="true" />
          {messages.featured}
        </Badge>
      ) : null}
      {project.orderIndex >= 1 && project.orderIndex <= PODIUM_SLOTS ? (
        <Badge>{messages.top(project.orderIndex)}</Badge>
      ) : null}
      {project.isActive ? null : <Badge tone="coral">{messages.inactive}</Badge>}
    </>
  );
}

/** Read-only details of a NEXT project. */
export function NextDetails(props: DetailsProps<AdminNextProject>) {
  const { project } = props;
  const { field } = useText(adminProjectsTexts).projects;
  const messages = useText(adminNextTexts).next;
  const locale = useLocale();
  const date = (iso: string | null) => (iso ? dateTime(iso, locale) : messages.noDate);
  return (
    <TokenDetails {...props} badges={<NextBadges project={project} />}>
      <section>
        <h3 className="mb-1.5 text-[1.0625rem]">{messages.part.launch}</h3>
        <dl className="admin-facts">
          <Fact name={messages.launchDate}>{date(project.launchDate)}</Fact>
          <Fact name={messages.countdownEnd}>{date(project.countdownEnd)}</Fact>
          <Fact name={field.progressPercentage}>{`${project.progressPercentage} %`}</Fact>
          <Fact name={messages.field.price}>{project.price}</Fact>
          <Fact name={field.marketCap}>{project.marketCap}</Fact>
          <Fact name={field.orderIndex}>{project.orderIndex}</Fact>
        </dl>
      </section>
      <section>
        <h3 className="mb-1.5 text-[1.0625rem]">{messages.part.token}</h3>
        <dl className="admin-facts">
          <AddressFacts project={project} />
          <TextFacts project={project} noDescription={messages.noDescription} />
        </dl>
      </section>
      <section>
        <h3 className="mb-1.5 text-[1.0625rem]">{messages.part.notes}</h3>
        <dl className="admin-facts">
          <TeamFacts project={project} />
          <Fact name={messages.field.createdAt}>{dateTime(project.createdAt, locale)}</Fact>
          <Fact name={messages.field.updatedAt}>{dateTime(project.updatedAt, locale)}</Fact>
          <Fact name={messages.field.votingRoundId} wide>
            {project.votingRoundId ? <span className="figures break-all">{project.votingRoundId}</span> : null}
          </Fact>
        </dl>
      </section>
    </TokenDetails>
  );
}
