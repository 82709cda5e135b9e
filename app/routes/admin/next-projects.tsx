import { Plus, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { AdminScreen } from '#app/features/admin/kit/AdminScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import type { OpenRecord } from '#app/features/admin/kit/records/RecordActions.tsx';
import { NextPanel } from '#app/features/admin/next-projects/NextPanel.tsx';
import { ImageUpload } from '#app/features/media/ImageUpload.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminNextTexts } from '#app/lib/messages/admin/next-projects.ts';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { AdminNextProject } from '#contract/admin/next-projects.ts';

/** /admin/next-projects and /admin/next-projects-api */
export default function NextProjectsPage() {
  const text = useText(adminNextTexts, adminProjectsTexts);
  const [open, setOpen] = useState<OpenRecord<AdminNextProject>>(null);
  const list = useAdminList<AdminNextProject>({
    procedure: rpc.admin.nextProjects.list,
    csv: 'next-projects',
    sort: 'orderIndex',
    filters: { shelf: 'live', status: '' },
  });
  return (
    <AdminScreen
      title={text.next.heading}
      {...(list.rows ? { count: text.projects.count(list.count) } : {})}
      actions={
        <>
          <Button onClick={list.refresh}>
            <RotateCw aria-hidden="true" />
            {text.projects.refresh}
          </Button>
          <Button variant="primary" onClick={() => setOpen({ what: 'form', of: null })}>
            <Plus aria-hidden="true" />
            {text.next.add}
          </Button>
        </>
      }
    >
      <NextPanel
        list={list}
        open={open}
        setOpen={setOpen}
        picker={(slot) => <ImageUpload bucket="project-images" {...slot} />}
      />
    </AdminScreen>
  );
}
