import { useParams } from 'react-router';
import { SubmissionView } from '#app/features/submissions/SubmissionView.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { publishTexts } from '#app/lib/messages/publish.ts';
import { Seo } from '#app/lib/page/Seo.tsx';
import { PageHead } from '#app/ui/layout/Page.tsx';

/** The private page of a submission; its link is mailed and shown after sending. */
export default function SubmissionPage() {
  const text = useText(publishTexts);
  const { id = '' } = useParams();
  return (
    <div className="page pb-12">
      <Seo title={text.submission.title} hidden />
      <meta name="referrer" content="no-referrer" />
      <meta name="robots" content="noindex" />
      <PageHead title={text.submission.heading} lead={text.submission.lead} />
      <SubmissionView key={id} id={id} />
    </div>
  );
}
