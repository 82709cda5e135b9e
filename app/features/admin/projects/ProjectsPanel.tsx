import { ArchiveRestore, Eye, History, Pencil, Trash2 } from 'lucide-react';
import { useLocale, useText } from '#app/lib/i18n.tsx';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { IconButton } from '#app/ui/Button.tsx';
import { Checkbox, Select } from '#app/ui/Field.tsx';
import { TokenImage } from '#app/ui/TokenImage.tsx';
import type { AdminProject } from '#contract/admin/projects.ts';
import { TRASH_DAYS } from '#contract/limits.ts';
import { HistoryDialog } from '../audit/Timeline.tsx';
import { AdminTable, type Column, ShelfSwitch } from '../kit/AdminTable.tsx';
import { ConfirmDialog } from '../kit/ConfirmDialog.tsx';
import type { ImagePicker } from '../kit/ImageField.tsx';
import type { AdminList } from '../kit/useAdminList.ts';
import { when } from '../kit/when.ts';
import { isInTop3, ProjectDetails, ProjectStatusBadge } from './ProjectDetails.tsx';
import { ProjectForm, STATUSES } from './ProjectForm.tsx';
import { useProjectActs } from './project-acts.ts';

/** Characters of an address in the list. */
const ADDRESS_SHOWN = 10;
const shortAddress = (address: string) =>
  address.length > ADDRESS_SHOWN ? `${address.slice(0, ADDRESS_SHOWN)}…` : address;

/** What is open over the list. */
export type OpenRecord<Row> =
  | { what: 'form'; of: Row | null }
  | { what: 'details' | 'delete' | 'history'; of: Row }
  | null;

interface ProjectsPanelProps {
  list: AdminList<AdminProject>;
  picker: ImagePicker;
  open: OpenRecord<AdminProject>;
  setOpen: (open: OpenRecord<AdminProject>) => void;
}

/** Projects on home: the list with its Top 3 ticks, and the dialogs over it. */
export function ProjectsPanel({ list, picker, open, setOpen }: ProjectsPanelProps) {
  const words = useText(adminProjectsTexts).projects;
  const common = useText(adminTexts).admin.list;
  const locale = useLocale();
  const act = useProjectActs();
  const trash = list.filter['shelf'] === 'trash';
  const close = () => setOpen(null);
  // The newest state of what is open: the list follows the changes of others.
  const current = open?.of ? (list.rows?.find(({ id }) => id === open.of?.id) ?? open.of) : null;

  const columns: Column<AdminProject>[] = [
    {
      key: 'token',
      header: words.token,
      sort: 'tokenName',
      lead: true,
      cell: (project) => (
        <span className="flex items-center gap-3">
          <TokenImage id={project.id} symbol={project.tokenSymbol} src={project.imageUrl} alt="" size={36} />
          <span className="min-w-0">{project.tokenName}</span>
        </span>
      ),
    },
    {
      key: 'symbol',
      header: words.symbol,
      cell: ({ tokenSymbol }) => <span className="figures">{tokenSymbol}</span>,
    },
    {
      key: 'address',
      header: words.address,
      cell: ({ tokenAddress }) => (
        <span className="figures text-quiet" title={tokenAddress}>
          {shortAddress(tokenAddress)}
        </span>
      ),
    },
    { key: 'state', header: words.state, cell: ({ status }) => <ProjectStatusBadge status={status} /> },
    ...(trash
      ? [
          {
            key: 'deleted',
            header: words.deleted,
            cell: ({ deletedAt }: AdminProject) => (deletedAt ? when(deletedAt, locale) : ''),
          },
        ]
      : [
          {
            key: 'top3',
            header: words.top3,
            sort: 'orderIndex',
            cell: (project: AdminProject) => <Top3Tick project={project} act={act} />,
          },
          {
            key: 'created',
            header: words.created,
            sort: 'createdAt',
            cell: ({ createdAt }: AdminProject) => when(createdAt, locale),
          },
        ]),
  ];

  return (
    <>
      {trash ? <p className="text-sm text-quiet">{common.trashHint(TRASH_DAYS)}</p> : null}
      <AdminTable
        list={list}
        columns={columns}
        caption={words.heading}
        nameOf={({ tokenName }) => tokenName}
        searchLabel={words.searchLabel}
        ownRefresh
        filters={
          <>
            <Select
              aria-label={words.state}
              value={list.filter['status'] ?? ''}
              onChange={(event) => list.set({ status: event.target.value })}
            >
              <option value="">{words.allStates}</option>
              {STATUSES.map((status) => (
                <option key={status} value={status}>
                  {words.status[status]}
                </option>
              ))}
            </Select>
            <Checkbox
              label={words.onlyTop3}
              checked={list.filter['top3'] === 'yes'}
              onChange={(event) => list.set({ top3: event.target.checked ? 'yes' : '' })}
            />
            <ShelfSwitch list={list} />
          </>
        }
        loading={words.loading}
        empty={{ title: words.empty }}
        failed={words.loadFailed}
        screen="projects"
        actions={(project) => (
          <>
            <IconButton
              size="sm"
              label={words.viewOf(project.tokenName)}
              onClick={() => setOpen({ what: 'details', of: project })}
            >
              <Eye aria-hidden="true" />
            </IconButton>
            <IconButton
              size="sm"
              label={words.historyOf(project.tokenName)}
              onClick={() => setOpen({ what: 'history', of: project })}
            >
              <History aria-hidden="true" />
            </IconButton>
            {project.deletedAt ? (
              <IconButton
                size="sm"
                label={words.restoreOf(project.tokenName)}
                onClick={() => act.restore.mutate(project)}
              >
                <ArchiveRestore aria-hidden="true" />
              </IconButton>
            ) : (
              <>
                <IconButton
                  size="sm"
                  label={words.editOf(project.tokenName)}
                  onClick={() => setOpen({ what: 'form', of: project })}
                >
                  <Pencil aria-hidden="true" />
                </IconButton>
                <IconButton
                  size="sm"
                  label={words.deleteOf(project.tokenName)}
                  onClick={() => setOpen({ what: 'delete', of: project })}
                >
                  <Trash2 aria-hidden="true" />
                </IconButton>
              </>
            )}
          </>
        )}
      />
      {open?.what === 'form' ? (
        <ProjectForm key={open.of?.id ?? 'new'} project={open.of} picker={picker} onClose={close} />
      ) : null}
      {open?.what === 'details' && current ? (
        <ProjectDetails
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
          open?.what === 'history' ? { resourceType: 'project', resourceId: open.of.id, name: open.of.tokenName } : null
        }
        onClose={close}
      />
    </>
  );
}

function Top3Tick({ project, act }: { project: AdminProject; act: ReturnType<typeof useProjectActs> }) {
  const words = useText(adminProjectsTexts).projects;
  const inTop3 = isInTop3(project);
  const wish = act.top3.isPending && act.top3.variables?.id === project.id ? act.top3.variables : null;
  const onHome = project.status === 'published_home';
  return (
    <label className="inline-flex min-h-10 items-center gap-2" title={onHome ? undefined : words.top3Home}>
      <input
        type="checkbox"
        className="check-box disabled:cursor-not-allowed disabled:opacity-40"
        aria-label={words.top3Of(project.tokenName)}
        checked={wish ? wish.on : inTop3}
        disabled={!onHome || wish !== null}
        onChange={(event) => act.top3.mutate({ id: project.id, on: event.target.checked })}
      />
      {inTop3 ? <span className="figures">{words.top3Place(project.orderIndex)}</span> : null}
    </label>
  );
}
