import { ArchiveRestore, Eye, History, Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useHref, useLocale, useText } from '#app/lib/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminNextTexts } from '#app/lib/messages/admin/next.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Button, ButtonLink, IconButton } from '#app/ui/Button.tsx';
import { Select } from '#app/ui/Field.tsx';
import { Progress } from '#app/ui/Progress.tsx';
import { TokenImage } from '#app/ui/TokenImage.tsx';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import { TRASH_DAYS } from '#contract/limits.ts';
import { HistoryDialog } from '../audit/Timeline.tsx';
import { AdminTable, ShelfSwitch } from '../kit/AdminTable.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import type { ImagePicker } from '../kit/ImageField.tsx';
import type { AdminList } from '../kit/useAdminList.ts';
import { when } from '../kit/when.ts';
import type { OpenRecord } from '../projects/ProjectsPanel.tsx';
import { NextBadges, NextDetails } from './NextDetails.tsx';
import { NextForm, STATUSES } from './NextForm.tsx';
import { useNextActs } from './next-acts.ts';

interface NextPanelProps {
  list: AdminList<AdminNextProject>;
  picker: ImagePicker;
  open: OpenRecord<AdminNextProject>;
  setOpen: (open: OpenRecord<AdminNextProject>) => void;
}

/** NEXT projects: the grid of cards, and the dialogs over it. */
export function NextPanel({ list, picker, open, setOpen }: NextPanelProps) {
  const shared = useText(adminProjectsTexts).projects;
  const words = useText(adminNextTexts).next;
  const common = useText(adminTexts).admin.list;
  const href = useHref();
  const act = useNextActs();
  const trash = list.filter['shelf'] === 'trash';
  const close = () => setOpen(null);
  // The newest state of what is open: the list follows the changes of others.
  const current = open?.of ? (list.rows?.find(({ id }) => id === open.of?.id) ?? open.of) : null;
  const { sort } = words;

  return (
    <>
      {trash ? <p className="text-sm text-quiet">{common.trashHint(TRASH_DAYS)}</p> : null}
      <AdminTable
        list={list}
        caption={words.heading}
        nameOf={({ tokenName }) => tokenName}
        searchLabel={words.searchLabel}
        ownRefresh
        filters={
          <>
            <Select
              aria-label={shared.state}
              value={list.filter['status'] ?? ''}
              onChange={(event) => list.set({ status: event.target.value })}
            >
              <option value="">{shared.allStates}</option>
              {STATUSES.map((status) => (
                <option key={status} value={status}>
                  {words.status[status]}
                </option>
              ))}
            </Select>
            <Select
              aria-label={sort.label}
              value={list.sort}
              onChange={(event) => list.set({ sort: event.target.value })}
            >
              <option value="orderIndex">{sort.place}</option>
              <option value="-createdAt">{sort.newest}</option>
              <option value="tokenName">{sort.name}</option>
              <option value="launchDate">{sort.launch}</option>
            </Select>
            <ShelfSwitch list={list} />
          </>
        }
        loading={words.loading}
        empty={{
          title: words.empty,
          text: words.emptyText,
          action: (
            <div className="flex flex-wrap justify-center gap-2">
              <Button size="sm" onClick={() => setOpen({ what: 'form', of: null })}>
                {words.add}
              </Button>
              <ButtonLink size="sm" to={href('/admin/votes')}>
                {words.graduate}
              </ButtonLink>
            </div>
          ),
        }}
        failed={words.loadFailed}
        screen="next"
        card={(project) => (
          <Card
            project={project}
            actions={
              <>
                <IconButton
                  size="sm"
                  label={shared.viewOf(project.tokenName)}
                  onClick={() => setOpen({ what: 'details', of: project })}
                >
                  <Eye aria-hidden="true" />
                </IconButton>
                <IconButton
                  size="sm"
                  label={shared.historyOf(project.tokenName)}
                  onClick={() => setOpen({ what: 'history', of: project })}
                >
                  <History aria-hidden="true" />
                </IconButton>
                {project.deletedAt ? (
                  <IconButton
                    size="sm"
                    label={shared.restoreOf(project.tokenName)}
                    onClick={() => act.restore.mutate(project)}
                  >
                    <ArchiveRestore aria-hidden="true" />
                  </IconButton>
                ) : (
                  <>
                    <IconButton
                      size="sm"
                      label={shared.editOf(project.tokenName)}
                      onClick={() => setOpen({ what: 'form', of: project })}
                    >
                      <Pencil aria-hidden="true" />
                    </IconButton>
                    <IconButton
                      size="sm"
                      label={shared.deleteOf(project.tokenName)}
                      onClick={() => setOpen({ what: 'delete', of: project })}
                    >
                      <Trash2 aria-hidden="true" />
                    </IconButton>
                  </>
                )}
              </>
            }
          />
        )}
      />
      {open?.what === 'form' ? (
        <NextForm key={open.of?.id ?? 'new'} project={open.of} picker={picker} onClose={close} />
      ) : null}
      {open?.what === 'details' && current ? (
        <NextDetails
          project={current}
          onClose={close}
          onEdit={current.deletedAt ? null : () => setOpen({ what: 'form', of: current })}
        />
      ) : null}
      <ConfirmDialog
        open={open?.what === 'delete'}
        onClose={close}
        question={current?.tokenName}
        onConfirm={async () => {
          if (current) await act.remove.mutateAsync(current);
        }}
      />
      <HistoryDialog
        record={
          open?.what === 'history'
            ? { resourceType: 'next_project', resourceId: open.of.id, name: open.of.tokenName }
            : null
        }
        onClose={close}
      />
    </>
  );
}

function Card({ project, actions }: { project: AdminNextProject; actions: ReactNode }) {
  const words = useText(adminNextTexts).next;
  const locale = useLocale();
  const date = (iso: string | null) => (iso ? when(iso, locale) : words.noDate);
  return (
    <>
      <div className="flex min-w-0 items-start gap-3">
        <TokenImage id={project.id} symbol={project.tokenSymbol} src={project.imageUrl} alt="" size={56} />
        <div className="min-w-0">
          <h2 className="text-[1.125rem] break-words">{project.tokenName}</h2>
          <p className="figures mb-1.5 text-sm text-quiet">${project.tokenSymbol}</p>
          <NextBadges project={project} />
        </div>
      </div>
      <div className="grid content-start gap-3">
        <p className="line-clamp-2 text-sm text-quiet">{project.description || words.noDescription}</p>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
          <Entry name={words.launchDate}>{date(project.launchDate)}</Entry>
          <Entry name={words.countdownEnd}>{date(project.countdownEnd)}</Entry>
          <Entry name={words.marketCap}>{project.marketCap}</Entry>
        </dl>
        <Progress value={project.progressPercentage} label={words.progress} showValue look="bar" />
      </div>
      <div className="flex justify-end gap-0.5">{actions}</div>
    </>
  );
}

function Entry({ name, children }: { name: string; children: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-quiet">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}
