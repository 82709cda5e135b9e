import { Plus, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import type { OpenRecord } from '#app/features/admin/kit/records/RecordActions.tsx';
import { ProjectsPanel } from '#app/features/admin/projects/ProjectsPanel.tsx';
import { ImageUpload } from '#app/features/media/ImageUpload.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminProjectsTexts } from '#app/lib/messages/admin/projects.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { AdminProject } from '#contract/admin/projects.ts';

/** /admin/projects and /admin/projects-api */
export default function ProjectsPage() {
  const messages = useText(adminProjectsTexts).projects;
  const [open, setOpen] = useState<OpenRecord<AdminProject>>(null);
  const list = useAdminList<AdminProject>({
    procedure: rpc.admin.projects.list,
    csv: 'projects',
    sort: '-createdAt',
    filters: { shelf: 'live', status: '', top3: '' },
  });
  return (
    <ListScreen
      list={list}
      messages={messages}
      actions={
        <>
          <Button onClick={list.refresh}>
            <RotateCw aria-hidden="true" />
            {messages.refresh}
          </Button>
          <Button variant="primary" onClick={() => setOpen({ what: 'form', of: null })}>
            <Plus aria-hidden="true" />
            {messages.add}
          </Button>
        </>
      }
    >
      <ProjectsPanel
        list={list}
        open={open}
        setOpen={setOpen}
        picker={(slot) => <ImageUpload bucket="project-images" {...slot} />}
      />
    </ListScreen>
  );
}
