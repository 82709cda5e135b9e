import '../facts.css';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Badge, type Tone } from '#app/ui/Badge.tsx';
import { Button } from '#app/ui/Button.tsx';
import { Dialog } from '#app/ui/Dialog.tsx';
import { TokenImage } from '#app/ui/TokenImage.tsx';
import type { AdminProject, ProjectStatus } from '#contract/admin/projects.ts';
import { PODIUM_SLOTS } from '#contract/limits.ts';
import { when } from '../kit/when.ts';
import { Fact, LINKS, LinkFact } from './form-parts.tsx';

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

interface ProjectDetailsProps {
  project: AdminProject;
  onClose: () => void;
  /** Goes on to the form; none for what lies in the trash. */
  onEdit: (() => void) | null;
}

/** Everything about a project, to read. */
export function ProjectDetails({ project, onClose, onEdit }: ProjectDetailsProps) {
  const words = useText(adminProjectsTexts).projects;
  const locale = useLocale();
  const { field, detail } = words;
  return (
    <Dialog
      open
      onOpenChange={(next) => !next && onClose()}
      title={detail.title(project.tokenName)}
      className="dialog-wide"
      actions={
        <>
          <Button onClick={onClose}>{detail.close}</Button>
          {onEdit ? (
            <Button variant="primary" onClick={onEdit}>
              {detail.edit}
            </Button>
          ) : null}
        </>
      }
    >
      <div className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center gap-4">
          <TokenImage id={project.id} symbol={project.tokenSymbol} src={project.imageUrl} alt="" size={64} />
          <div className="grid gap-1.5">
            <p className="figures font-semibold">${project.tokenSymbol}</p>
            <p className="flex flex-wrap gap-1.5">
              <ProjectStatusBadge status={project.status} />
              {isInTop3(project) ? <Badge tone="lead">{`${words.top3}: ${project.orderIndex}`}</Badge> : null}
              {project.isFeatured ? <Badge>{field.isFeatured}</Badge> : null}
            </p>
          </div>
        </div>
        <dl className="bs-facts">
          <Fact name={field.tokenAddress} wide>
            <span className="figures break-all">{project.tokenAddress}</span>
          </Fact>
          <Fact name={field.contractAddress} wide>
            {project.contractAddress ? <span className="figures break-all">{project.contractAddress}</span> : null}
          </Fact>
          <Fact name={field.marketCap}>{project.marketCap}</Fact>
          <Fact name={field.holdersCount}>{project.holdersCount}</Fact>
          <Fact name={field.progressPercentage}>{`${project.progressPercentage} %`}</Fact>
          <Fact name={field.orderIndex}>{project.orderIndex}</Fact>
          <Fact name={detail.slug}>{`/token/${project.tokenSlug}`}</Fact>
          <Fact name={words.created}>{when(project.createdAt, locale)}</Fact>
          <Fact name={words.updated}>{when(project.updatedAt, locale)}</Fact>
          <Fact name={field.description} wide>
            {project.description}
          </Fact>
          <Fact name={field.descriptionFull} wide>
            {project.descriptionFull}
          </Fact>
          {LINKS.map((name) => (
            <LinkFact key={name} name={field[name]} href={project[name]} />
          ))}
          <Fact name={field.adminNotes} wide>
            {project.adminNotes}
          </Fact>
        </dl>
      </div>
    </Dialog>
  );
}

export const isInTop3 = ({ orderIndex }: AdminProject) => orderIndex >= 1 && orderIndex <= PODIUM_SLOTS;
