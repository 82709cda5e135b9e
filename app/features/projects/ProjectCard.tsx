import { marketCap } from '#app/lib/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n.tsx';
import { Badge } from '#app/ui/Badge.tsx';
import { English } from '#app/ui/English.tsx';
import { Stat } from '#app/ui/Stat.tsx';
import { TokenImage } from '#app/ui/TokenImage.tsx';
import { TokenTicket } from '#app/ui/TokenTicket.tsx';
import type { Project } from '#contract/projects.ts';

/** A project in the grid: the whole ticket leads to its page. */
export function ProjectCard({ project, eager }: { project: Project; eager: boolean }) {
  const text = useText();
  const href = useHref();
  const locale = useLocale();
  return (
    <TokenTicket
      to={href(`/token/${project.tokenSlug || project.id}`)}
      image={<TokenImage id={project.id} symbol={project.tokenSymbol} src={project.imageUrl} alt="" eager={eager} />}
      title={project.tokenName}
      symbol={`$${project.tokenSymbol}`}
      badge={
        <Badge tone={project.status === 'published_home' ? 'lead' : 'sky'}>{text.home.status[project.status]}</Badge>
      }
      description={project.description || text.shared.defaultDescription}
      stats={
        <dl>
          <Stat
            className="stat-told"
            label={<English>{text.home.marketCap}</English>}
            value={marketCap(project.marketCap, locale)}
            hint={project.marketCapFrom && text.home.capFrom[project.marketCapFrom]}
          />
        </dl>
      }
      progress={{ value: Math.min(100, project.progressPercentage), label: text.home.progress, labelLang: 'en' }}
      stub={<span className="figures">{project.tokenSlug}</span>}
    />
  );
}
