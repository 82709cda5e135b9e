import '../facts.css';
import { Crown, Star } from 'lucide-react';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { adminNextTexts } from '#app/lib/messages/admin/next.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Badge, type Tone } from '#app/ui/Badge.tsx';
import { Button } from '#app/ui/Button.tsx';
import { Dialog } from '#app/ui/Dialog.tsx';
import { TokenImage } from '#app/ui/TokenImage.tsx';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import { PODIUM_SLOTS } from '#contract/limits.ts';
import { when } from '../kit/when.ts';
import { Fact, LINKS, LinkFact } from '../projects/form-parts.tsx';

const TONES: Record<AdminNextProject['status'], Tone> = { pending: 'lead', published: 'mint', launched: 'sky' };

/** Status, winner, featured, Top N, and whether it is switched off. */
export function NextBadges({ project }: { project: AdminNextProject }) {
  const words = useText(adminNextTexts).next;
  return (
    <p className="flex flex-wrap gap-1.5">
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
    </p>
  );
}

interface NextDetailsProps {
  project: AdminNextProject;
  onClose: () => void;
  /** Goes on to the form; none for what lies in the trash. */
  onEdit: (() => void) | null;
}

/** Everything about a NEXT project, to read. */
export function NextDetails({ project, onClose, onEdit }: NextDetailsProps) {
  const shared = useText(adminProjectsTexts).projects;
  const words = useText(adminNextTexts).next;
  const locale = useLocale();
  const { field, detail } = shared;
  const date = (iso: string | null) => (iso ? when(iso, locale) : words.noDate);
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
            <NextBadges project={project} />
          </div>
        </div>
        <section>
          <h3 className="mb-1.5 text-[1.0625rem]">{words.part.launch}</h3>
          <dl className="bs-facts">
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
          <dl className="bs-facts">
            <Fact name={field.tokenAddress} wide>
              {project.tokenAddress ? <span className="figures break-all">{project.tokenAddress}</span> : null}
            </Fact>
            <Fact name={field.contractAddress} wide>
              {project.contractAddress ? <span className="figures break-all">{project.contractAddress}</span> : null}
            </Fact>
            <Fact name={field.description} wide>
              {project.description ?? words.noDescription}
            </Fact>
            <Fact name={field.descriptionFull} wide>
              {project.descriptionFull}
            </Fact>
            {LINKS.map((name) => (
              <LinkFact key={name} name={field[name]} href={project[name]} />
            ))}
          </dl>
        </section>
        <section>
          <h3 className="mb-1.5 text-[1.0625rem]">{words.part.notes}</h3>
          <dl className="bs-facts">
            <Fact name={field.adminNotes} wide>
              {project.adminNotes}
            </Fact>
            <Fact name={words.field.createdAt}>{when(project.createdAt, locale)}</Fact>
            <Fact name={words.field.updatedAt}>{when(project.updatedAt, locale)}</Fact>
            <Fact name={words.field.votingRoundId} wide>
              {project.votingRoundId ? <span className="figures break-all">{project.votingRoundId}</span> : null}
            </Fact>
          </dl>
        </section>
      </div>
    </Dialog>
  );
}
