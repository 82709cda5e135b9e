import { Eye } from 'lucide-react';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminSubmissionsTexts } from '#app/lib/messages/admin/submissions.ts';
import { IconButton } from '#app/ui/controls/Button.tsx';
import { Badge, type Tone } from '#app/ui/layout/Badge.tsx';
import type { AdminSubmissionRow } from '#contract/admin/submissions.ts';
import { AdminTable, type Column } from '../kit/list/AdminTable.tsx';
import { ListSelect } from '../kit/list/filters.tsx';
import { tableText } from '../kit/list/table-text.ts';
import type { AdminList } from '../kit/list/useAdminList.ts';
import { PersonLink } from '../people/PersonLink.tsx';
import { useOpenRecord } from '../useOpenRecord.ts';
import { SubmissionDialog } from './SubmissionDialog.tsx';
import { useSubmissionBulk } from './useSubmissionBulk.tsx';

const TONES: Record<AdminSubmissionRow['status'], Tone> = {
  new: 'lead',
  reviewed: 'sky',
  approved: 'mint',
  rejected: 'coral',
};
const STATUSES = Object.keys(TONES) as AdminSubmissionRow['status'][];

/** Submissions: the queue, and one of them in a dialog with its own address. */
export function SubmissionsPanel({ list }: { list: AdminList<AdminSubmissionRow> }) {
  const messages = useText(adminSubmissionsTexts).submissions;
  const opened = useOpenRecord('open');
  const nameOf = (row: AdminSubmissionRow) => row.submitterName || messages.anonymous;
  const { bulk, dialogs } = useSubmissionBulk((row) => `${nameOf(row)} · ${row.projectName || '—'}`);

  const columns: Column<AdminSubmissionRow>[] = [
    {
      key: 'applicant',
      header: messages.applicant,
      sort: 'submitterName',
      lead: true,
      cell: (row) => (
        <PersonLink id={row.memberId} mailbox={row.submitterEmail}>
          {nameOf(row)}
        </PersonLink>
      ),
    },
    {
      key: 'email',
      header: messages.email,
      cell: ({ submitterEmail }) => <span className="admin-whole">{submitterEmail || messages.noEmail}</span>,
    },
    {
      key: 'project',
      header: messages.project,
      cell: ({ projectName, symbol }) => (
        <span className="admin-whole">
          {projectName || '—'} {symbol ? <span className="figures text-quiet">{symbol}</span> : null}
        </span>
      ),
    },
    {
      key: 'status',
      header: messages.status,
      sort: 'status',
      cell: ({ status }) => <Badge tone={TONES[status]}>{messages.statuses[status]}</Badge>,
    },
    {
      key: 'date',
      header: messages.date,
      sort: 'createdAt',
      cell: ({ createdAt }) => <When iso={createdAt} />,
    },
  ];
  return (
    <>
      <AdminTable
        {...tableText(messages)}
        list={list}
        columns={columns}
        nameOf={nameOf}
        filters={
          <ListSelect
            list={list}
            name="status"
            label={messages.status}
            options={[['', messages.all], ...STATUSES.map((status) => [status, messages.statuses[status]] as const)]}
          />
        }
        bulk={bulk}
        actions={(row) => (
          <IconButton size="sm" label={messages.view(nameOf(row))} onClick={() => opened.open(row.id)}>
            <Eye aria-hidden="true" />
          </IconButton>
        )}
      />
      {dialogs}
      {opened.id ? <SubmissionDialog key={opened.id} id={opened.id} onClose={opened.close} /> : null}
    </>
  );
}
