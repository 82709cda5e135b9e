import { dateTime } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Checkbox } from '#app/ui/controls/Field.tsx';
import { projectStatus } from '#contract/admin/forms/projects.ts';
import type { AdminProject } from '#contract/admin/projects.ts';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect, ShelfSwitch, TrashHint } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { type OpenRecord, RecordActions } from '../kit/records/RecordActions.tsx';
import { RecordDialogs } from '../kit/records/RecordDialogs.tsx';
import { useTrashBulk } from '../kit/records/useTrashBulk.tsx';
import { isInTop3, ProjectDetails, ProjectStatusBadge } from './ProjectDetails.tsx';
import { ProjectForm } from './ProjectForm.tsx';
import { useProjectActions, useProjectsRefresh } from './project-actions.ts';

/** Number of characters of an address in the list. */
const ADDRESS_SHOWN = 10;
const ShortAddress = ({ address }: { address: string }) => (
  <span className="figures whitespace-nowrap text-quiet" title={address}>
    {address.length > ADDRESS_SHOWN ? `${address.slice(0, ADDRESS_SHOWN)}…` : address}
  </span>
);

interface ProjectsPanelProps {
  list: AdminList<AdminProject>;
  picker: ImagePicker;
  open: OpenRecord<AdminProject>;
  setOpen: (open: OpenRecord<AdminProject>) => void;
}

const nameOf = ({ tokenName }: AdminProject) => tokenName;

/** Projects on home: the list with its Top 3 checkboxes, and the dialogs over it. */
export function ProjectsPanel({ list, picker, open, setOpen }: ProjectsPanelProps) {
  const messages = useText(adminProjectsTexts).projects;
  const locale = useLocale();
  const mutations = useProjectActions();
  useReopenedForm<AdminProject>('project', (of) => setOpen({ what: 'form', of }));
  const trash = list.filter['shelf'] === 'trash';
  const refresh = useProjectsRefresh();
  const { bulk, dialogs } = useTrashBulk<AdminProject>('project', { trash, nameOf, refresh, screen: 'projects' });

  const columns: Column<AdminProject>[] = [
    {
      key: 'token',
      header: messages.token,
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
      collapsible: true,
      header: messages.symbol,
      cell: ({ tokenSymbol }) => <span className="figures">{tokenSymbol}</span>,
    },
    {
      key: 'address',
      header: messages.address,
      cell: ({ tokenAddress }) => <ShortAddress address={tokenAddress} />,
    },
    { key: 'state', header: messages.state, cell: ({ status }) => <ProjectStatusBadge status={status} /> },
    ...(trash
      ? [
          {
            key: 'deleted',
            header: messages.deleted,
            cell: ({ deletedAt }: AdminProject) => (deletedAt ? dateTime(deletedAt, locale) : ''),
          },
        ]
      : [
          {
            key: 'top3',
            header: messages.top3,
            sort: 'orderIndex',
            cell: (project: AdminProject) => <Top3Tick project={project} mutations={mutations} />,
          },
          {
            key: 'created',
            header: messages.created,
            sort: 'createdAt',
            collapsible: true,
            cell: ({ createdAt }: AdminProject) => dateTime(createdAt, locale),
          },
        ]),
  ];

  return (
    <>
      {trash ? <TrashHint /> : null}
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={nameOf}
        bulk={bulk}
        ownRefresh
        filters={
          <>
            <ListSelect
              list={list}
              name="status"
              label={messages.state}
              options={[
                ['', messages.allStates],
                ...projectStatus.options.map((status) => [status, messages.status[status]] as const),
              ]}
            />
            <Checkbox
              label={messages.onlyTop3}
              checked={list.filter['top3'] === 'yes'}
              onChange={(event) => list.set({ top3: event.target.checked ? 'yes' : '' })}
            />
            <ShelfSwitch list={list} />
          </>
        }
        screen="projects"
        actions={(project) => (
          <RecordActions
            row={project}
            name={project.tokenName}
            setOpen={setOpen}
            onRestore={mutations.restore.mutate}
            viewable
          />
        )}
      />
      <RecordDialogs
        list={list}
        open={open}
        setOpen={setOpen}
        resourceType="project"
        versions="project"
        nameOf={nameOf}
        form={(project, close) => (
          <ProjectForm key={project?.id ?? 'new'} project={project} picker={picker} onClose={close} />
        )}
        details={(project, close, onEdit) => <ProjectDetails project={project} onClose={close} onEdit={onEdit} />}
        onDelete={mutations.remove.mutateAsync}
      />
      {dialogs}
      {mutations.question}
    </>
  );
}

function Top3Tick({ project, mutations }: { project: AdminProject; mutations: ReturnType<typeof useProjectActions> }) {
  const messages = useText(adminProjectsTexts).projects;
  const inTop3 = isInTop3(project);
  const pendingChange =
    mutations.top3.isPending && mutations.top3.variables?.id === project.id ? mutations.top3.variables : null;
  const onHome = project.status === 'published_home';
  return (
    <label className="inline-flex min-h-10 items-center gap-2" title={onHome ? undefined : messages.top3Home}>
      <input
        type="checkbox"
        className="check-box disabled:cursor-not-allowed disabled:opacity-40"
        aria-label={messages.top3Of(project.tokenName)}
        checked={pendingChange ? pendingChange.on : inTop3}
        disabled={!onHome}
        onChange={(event) =>
          pendingChange === null && mutations.top3.mutate({ id: project.id, on: event.target.checked })
        }
      />
      {inTop3 ? <span className="figures whitespace-nowrap">{messages.top3Place(project.orderIndex)}</span> : null}
    </label>
  );
}
