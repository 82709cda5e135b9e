import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ListScreen } from '#app/features/admin/kit/list/ListScreen.tsx';
import { useAdminList } from '#app/features/admin/kit/list/useAdminList.ts';
import type { NewsValues } from '#app/features/admin/news/NewsDialogs.tsx';
import { NewsPanel } from '#app/features/admin/news/NewsPanel.tsx';
import { ImageUpload } from '#app/features/media/ImageUpload.tsx';
import { rpc } from '#app/lib/api/rpc.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useLiveState } from '#app/lib/live/live.ts';
import { adminNewsTexts } from '#app/lib/messages/admin/news.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { LiveDot } from '#app/ui/layout/Badge.tsx';

/** /admin/news */
export default function NewsPage() {
  const messages = useText(adminNewsTexts).news;
  const live = useLiveState();
  const [draft, setDraft] = useState<Partial<NewsValues> | null>(null);
  const list = useAdminList({
    procedure: rpc.admin.news.list,
    csv: 'news',
    sort: '-createdAt',
    filters: { shelf: 'live', status: 'all' },
  });
  return (
    <ListScreen
      list={list}
      messages={messages}
      lead={messages.lead}
      actions={
        <>
          <span role="status">
            {live === 'on' ? (
              <LiveDot>{messages.live}</LiveDot>
            ) : live === 'off' ? (
              <span className="text-sm text-quiet">{messages.offline}</span>
            ) : null}
          </span>
          <Button variant="primary" onClick={() => setDraft({})}>
            <Plus aria-hidden="true" />
            {messages.create}
          </Button>
        </>
      }
    >
      <NewsPanel
        list={list}
        draft={draft}
        onDraft={setDraft}
        picker={(slot) => <ImageUpload bucket="project-images" {...slot} />}
      />
    </ListScreen>
  );
}
