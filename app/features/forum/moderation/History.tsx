import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { discussionTexts } from '#app/lib/messages/discussion.ts';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { forumMemberTexts } from '#app/lib/messages/forum-member.ts';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Dialog } from '#app/ui/controls/Dialog.tsx';
import { closedAction } from '../forum.queries.ts';
import { UserText, WrittenAt } from '../writing/UserText.tsx';

interface HistoryProps {
  what: 'post' | 'comment';
  id: string;
  onClose: () => void;
}

/** Earlier versions of a text, for moderators. */
export default function History({ what, id, onClose }: HistoryProps) {
  const texts = useText(discussionTexts, forumTexts, forumMemberTexts);
  const { discussion: text } = texts;
  const href = useHref();
  const { data, error, refetch, isFetching } = useQuery({
    ...rpc.forum.history.queryOptions({ input: { what, id } }),
    staleTime: 0,
  });
  const closed = closedAction(error, texts);
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={closed?.title ?? text.historyTitle}
      description={<span role="status">{closed?.text ?? text.historyText}</span>}
      actions={
        <>
          <Button onClick={onClose}>{text.close}</Button>
          {closed ? (
            <ButtonLink to={href(closed.to)} variant="primary">
              {closed.link}
            </ButtonLink>
          ) : null}
        </>
      }
    >
      {data?.versions.length === 0 ? <p>{text.historyEmpty}</p> : null}
      {data && data.versions.length > 0 ? (
        <section
          aria-label={text.historyTitle}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard.
          tabIndex={0}
          data-region
          className="max-h-[50dvh] overflow-auto"
        >
          <ol className="grid gap-3">
            {data.versions.map((version) => (
              <li key={version.replacedAt} className="rounded-control border border-line bg-raised p-3">
                <p className="text-xs text-quiet">
                  {text.until} <WrittenAt iso={version.replacedAt} />
                </p>
                {version.title === null ? null : (
                  <p dir="auto" className="mt-1 font-semibold wrap-anywhere">
                    <TextInItsLanguage>{version.title}</TextInItsLanguage>
                  </p>
                )}
                <UserText className="mt-1">{version.content}</UserText>
              </li>
            ))}
          </ol>
        </section>
      ) : null}
      {!data && !error ? <p role="status">{text.loading}</p> : null}
      {error && !closed ? (
        <div role="alert" className="grid justify-items-start gap-3">
          <p>{text.historyFailed}</p>
          <Button busy={isFetching} onClick={() => void refetch()}>
            {text.retry}
          </Button>
        </div>
      ) : null}
    </Dialog>
  );
}
