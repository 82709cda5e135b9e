import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { ProjectStatus } from '#contract/admin/forms/projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import { PODIUM_SLOTS } from '#contract/limits.ts';
import { Fact } from './form-parts.tsx';
import { AddressFacts, type DetailsProps, TeamFacts, TextFacts, TokenDetails } from './TokenDetails.tsx';

const TONES: Record<ProjectStatus, Tone> = {
  pending: 'lead',
  approved: 'sky',
  rejected: 'coral',
  published_home: 'mint',
  published_next: 'neutral',
};

export function ProjectStatusBadge({ status }: { status: ProjectStatus }) {
  const { short } = useText(adminProjectsTexts).projects;
  return <Badge tone={TONES[status]}>{short[status]}</Badge>;
}

/** Read-only details of a project. */
export function ProjectDetails(props: DetailsProps<AdminProject>) {
  const { project } = props;
  const messages = useText(adminProjectsTexts).projects;
  const locale = useLocale();
  const { field, detail } = messages;
  return (
    <TokenDetails
      {...props}
      badges={
        <>
          <ProjectStatusBadge status={project.status} />
          {isInTop3(project) ? <Badge tone="lead">{`${messages.top3}: ${project.orderIndex}`}</Badge> : null}
          {project.isFeatured ? <Badge>{field.isFeatured}</Badge> : null}
        </>
      }
    >
      <dl className="admin-facts">
        <AddressFacts project={project} />
        <Fact name={field.marketCap}>{project.marketCap}</Fact>
        <Fact name={field.holdersCount}>{project.holdersCount}</Fact>
        <Fact name={field.progressPercentage}>{`${project.progressPercentage} %`}</Fact>
        <Fact name={field.orderIndex}>{project.orderIndex}</Fact>
        <Fact name={detail.slug}>{`/token/${project.tokenSlug}`}</Fact>
        <Fact name={messages.created}>{dateTime(project.createdAt, locale)}</Fact>
        <Fact name={messages.updated}>{dateTime(project.updatedAt, locale)}</Fact>
        <TextFacts project={project} />
        <TeamFacts project={project} />
      </dl>
    </TokenDetails>
  );
}

export const isInTop3 = ({ orderIndex }: AdminProject) => orderIndex >= 1 && orderIndex <= PODIUM_SLOTS;
