import { useMe } from '#app/features/auth/auth.queries.ts';
import { ImageUpload } from '#app/features/media/ImageUpload.tsx';
import { ComingSoon, PublishAside, PublishSkeleton } from '#app/features/submissions/PublishParts.tsx';
import { SubmissionForm } from '#app/features/submissions/SubmissionForm.tsx';
import { useSubmissionsState } from '#app/features/submissions/submissions.queries.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { useMounted } from '#app/lib/live/clock.ts';
import { publishTexts } from '#app/lib/messages/publish.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { English } from '#app/ui/layout/English.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

/** Submission of a token for publication: a form for everybody, or a note that it is closed. */
export default function PublishPage() {
  const text = useText(publishTexts);
  return (
    <div className="page pb-12">
      <Seo title={text.publish.title} description={text.publish.description} />
      <PageHead
        over={
          <Badge tone="lead">
            <English>{text.publish.badge}</English>
          </Badge>
        }
        title={<English id="publish-title">{text.publish.heading}</English>}
        lead={<English>{text.publish.lead}</English>}
      />
      <PublishBody />
    </div>
  );
}

function PublishBody() {
  const text = useText(publishTexts);
  const mounted = useMounted();
  const me = useMe();
  const { data: state, isError, refetch } = useSubmissionsState();
  if (!mounted || (!state && !isError)) return <PublishSkeleton />;
  if (!state)
    return (
      <EmptyState
        role="alert"
        scene={<SceneNotFound />}
        title={text.publish.error}
        action={
          <Button variant="primary" onClick={() => void refetch()}>
            {text.publish.retry}
          </Button>
        }
      />
    );
  if (!state.open) return <ComingSoon supportEmail={state.supportEmail} />;
  return (
    <SubmissionForm
      member={me ? { username: me.username, email: me.email } : null}
      aside={(form) => <PublishAside form={form} supportEmail={state.supportEmail} />}
      image={(slot) => <ImageUpload bucket="token-images" {...slot} />}
    />
  );
}
