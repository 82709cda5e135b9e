import type { ReactNode } from 'react';
import { dateTime, marketCap } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { adminNextTexts } from '#app/lib/messages/admin/next-projects.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Progress } from '#app/ui/charts/Progress.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import type { Schedule } from '#contract/admin/editorial.ts';
import { nextProjectStatus } from '#contract/admin/forms/next-projects.ts';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';
import { Planned, ScheduleButton, useSchedules } from '../editorial/Schedule.tsx';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { useReopenedForm } from '../kit/forms/stored-forms.ts';
import { AdminTable } from '../kit/list/AdminTable.tsx';
import { ListSelect, ShelfSwitch, TrashHint } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { type OpenRecord, RecordActions } from '../kit/records/RecordActions.tsx';
import { RecordDialogs } from '../kit/records/RecordDialogs.tsx';
import { useTrashBulk } from '../kit/records/useTrashBulk.tsx';
import { PromoteWinner } from '../voting/RoundActions.tsx';
import { NextBadges, NextDetails } from './NextDetails.tsx';
import { NextForm } from './NextForm.tsx';
import { useNextActions, useNextRefresh } from './next-actions.ts';

interface NextPanelProps {
  list: AdminList<AdminNextProject>;
  picker: ImagePicker;
  open: OpenRecord<AdminNextProject>;
  setOpen: (open: OpenRecord<AdminNextProject>) => void;
}

const nameOf = ({ tokenName }: AdminNextProject) => tokenName;

/** NEXT projects: the grid of cards, and the dialogs over it. */
export function NextPanel({ list, picker, open, setOpen }: NextPanelProps) {
  const shared = useText(adminProjectsTexts).projects;
  const messages = useText(adminNextTexts).next;
  const href = useHref();
  const mutations = useNextActions();
  useReopenedForm<AdminNextProject>('nextProject', (of) => setOpen({ what: 'form', of }));
  useReopenedForm<AdminNextProject>('next_projectSchedule', (of) => of && setOpen({ what: 'schedule', of }));
  const schedules = useSchedules('next_project');
  const trash = list.filter['shelf'] === 'trash';
  const { sort } = messages;
  const refresh = useNextRefresh();
  const { bulk, dialogs } = useTrashBulk<AdminNextProject>('next_project', { trash, nameOf, refresh, screen: 'next' });

  return (
    <>
      {trash ? <TrashHint /> : null}
      <AdminTable
        {...tableText(messages)}
        list={list}
        nameOf={nameOf}
        bulk={bulk}
        ownRefresh
        filters={
          <>
            <ListSelect
              list={list}
              name="status"
              label={shared.state}
              options={[
                ['', shared.allStates],
                ...nextProjectStatus.options.map((status) => [status, messages.status[status]] as const),
              ]}
            />
            <ListSelect
              list={list}
              name="sort"
              label={sort.label}
              options={[
                ['orderIndex', sort.place],
                ['-createdAt', sort.newest],
                ['tokenName', sort.name],
                ['launchDate', sort.launch],
              ]}
            />
            <ShelfSwitch list={list} />
          </>
        }
        empty={{
          title: messages.empty,
          text: messages.emptyText,
          action: (
            <div className="flex flex-wrap justify-center gap-2">
              <Button size="sm" onClick={() => setOpen({ what: 'form', of: null })}>
                {messages.add}
              </Button>
              <PromoteWinner
                size="sm"
                otherwise={
                  <ButtonLink size="sm" to={href('/admin/votes')}>
                    {messages.graduate}
                  </ButtonLink>
                }
              />
            </div>
          ),
        }}
        screen="next"
        card={(project, choice) => (
          <Card
            project={project}
            choice={choice}
            schedule={schedules.get(project.id)}
            actions={
              <RecordActions
                row={project}
                name={project.tokenName}
                setOpen={setOpen}
                onRestore={mutations.restore.mutate}
                viewable
                before={
                  <ScheduleButton name={project.tokenName} onClick={() => setOpen({ what: 'schedule', of: project })} />
                }
              />
            }
          />
        )}
      />
      <RecordDialogs
        list={list}
        open={open}
        setOpen={setOpen}
        resourceType="next_project"
        versions="next_project"
        schedule="next_project"
        nameOf={nameOf}
        form={(project, close) => (
          <NextForm key={project?.id ?? 'new'} project={project} picker={picker} onClose={close} />
        )}
        details={(project, close, onEdit) => <NextDetails project={project} onClose={close} onEdit={onEdit} />}
        onDelete={mutations.remove.mutateAsync}
      />
      {dialogs}
      {mutations.question}
    </>
  );
}

interface CardProps {
  project: AdminNextProject;
  schedule: Schedule | undefined;
  choice: ReactNode;
  actions: ReactNode;
}

function Card({ project, schedule, choice, actions }: CardProps) {
  const messages = useText(adminNextTexts).next;
  const locale = useLocale();
  const date = (iso: string | null) => (iso ? dateTime(iso, locale) : messages.noDate);
  return (
    <>
      <div className="flex min-w-0 items-start gap-3">
        <TokenImage id={project.id} symbol={project.tokenSymbol} src={project.imageUrl} alt="" size={56} />
        <div className="min-w-0">
          <h2 className="text-[1.125rem] break-words">{project.tokenName}</h2>
          <p className="figures mb-1.5 text-sm text-quiet">${project.tokenSymbol}</p>
          <p className="flex flex-wrap gap-1.5">
            <NextBadges project={project} />
            {project.deletedAt ? null : <Planned schedule={schedule} />}
          </p>
        </div>
      </div>
      <div className="grid content-start gap-3">
        <p className="line-clamp-2 text-sm text-quiet">
          <TextInItsLanguage>{project.description || messages.noDescription}</TextInItsLanguage>
        </p>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
          <Entry name={messages.launchDate}>{date(project.launchDate)}</Entry>
          <Entry name={messages.countdownEnd}>{date(project.countdownEnd)}</Entry>
          <Entry name={messages.marketCap}>{marketCap(project.marketCap, locale)}</Entry>
        </dl>
        <Progress value={project.progressPercentage} label={messages.progress} showValue={locale} look="bar" />
      </div>
      <div className="flex items-center justify-between gap-2">
        {choice}
        <span className="flex gap-0.5">{actions}</span>
      </div>
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
