import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import '../facts.css';
import type { ReactNode } from 'react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminMarketTexts } from '#app/lib/messages/admin/market.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import { TOKEN_LINKS } from '#contract/fields/links.ts';
import { PUBLIC_TEXTS, TEAM_TEXTS } from '#contract/fields/project-texts.ts';
import { Fact, LinkFact } from './form-parts.tsx';

type Token = AdminProject | AdminNextProject;

export interface DetailsProps<Project> {
  project: Project;
  onClose: () => void;
  /** Opens the form; null for a record in the trash. */
  onEdit: (() => void) | null;
}

interface TokenDetailsProps extends DetailsProps<Token> {
  /** Status badges next to the image. */
  badges: ReactNode;
  children: ReactNode;
}

/** Read-only details of a project on home or in NEXT. */
export function TokenDetails({ project, badges, onClose, onEdit, children }: TokenDetailsProps) {
  const { detail } = useText(adminProjectsTexts).projects;
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
            <p className="flex flex-wrap gap-1.5">{badges}</p>
          </div>
        </div>
        {children}
      </div>
    </Dialog>
  );
}

/** Its contract and wallet addresses on the chain. */
export function AddressFacts({ project }: { project: Token }) {
  const { field } = useText(adminProjectsTexts).projects;
  const market = useText(adminMarketTexts).market;
  return (
    <>
      {(['tokenAddress', 'contractAddress'] as const).map((name) => (
        <Fact key={name} name={field[name]} wide>
          {project[name] ? <span className="figures break-all">{project[name]}</span> : null}
        </Fact>
      ))}
      <Fact name={market.network}>{project.network ? market.networks[project.network] : market.networkNone}</Fact>
    </>
  );
}

/** Internal data, for the team only. */
export function TeamFacts({ project }: { project: Token }) {
  const { field } = useText(adminProjectsTexts).projects;
  return TEAM_TEXTS.map((name) => (
    <Fact key={name} name={field[name]} wide>
      {project[name]}
    </Fact>
  ));
}

/** Public texts and links. */
export function TextFacts({ project, noDescription = '' }: { project: Token; noDescription?: string }) {
  const { field } = useText(adminProjectsTexts).projects;
  return (
    <>
      {PUBLIC_TEXTS.map((name) => (
        <Fact key={name} name={field[name]} wide>
          {project[name] ? (
            <TextInItsLanguage>{project[name]}</TextInItsLanguage>
          ) : name === 'description' ? (
            noDescription
          ) : null}
        </Fact>
      ))}
      {TOKEN_LINKS.map((name) => (
        <LinkFact key={name} name={field[name]} href={project[name]} />
      ))}
    </>
  );
}
