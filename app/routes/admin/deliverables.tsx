import { DeliverablesPanel } from '#app/features/admin/deliverables/DeliverablesPanel.tsx';
import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import { ImageUpload } from '#app/features/media/ImageUpload.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDeliverablesTexts } from '#app/lib/messages/admin/deliverables.ts';

/** /admin/deliverables */
export default function DeliverablesPage() {
  const messages = useText(adminDeliverablesTexts).deliverables;
  const list = useAdminList({
    procedure: rpc.admin.deliverables.list,
    csvForPeople: true,
    csv: 'deliverables',
    sort: 'dueAt',
    filters: { state: 'open', overdue: '', mine: '', item: '' },
  });
  return (
    <ListScreen list={list} messages={messages} lead={messages.lead}>
      <DeliverablesPanel list={list} picker={(slot) => <ImageUpload bucket="project-images" {...slot} />} />
    </ListScreen>
  );
}
