import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { forumTexts } from '#app/lib/messages/forum.ts';
import { Avatar } from '#app/ui/art/Avatar.tsx';
import { cx } from '#app/ui/cx.ts';
import { fragment } from '#app/ui/fragment.ts';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { Post } from '#contract/domains/forum.ts';
import { WrittenAt } from './writing/UserText.tsx';

/** While the session is loading, and while the code of the actions is. On a phone further actions are in a second line: the name needs the width. */
const ROOM = {
  2: { before: 'in-data-[member]:pr-21', loading: 'min-w-20 max-sm:max-w-20' },
  3: { before: 'in-data-[member]:pr-31', loading: 'min-w-30 max-sm:max-w-30' },
} as const;

interface AuthorProps {
  author: Post['author'];
  createdAt: string;
  editedAt: string | null;
  size?: number | undefined;
  /** Number of a member's actions on texts of others, whose width a member's page reserves before they are loaded. */
  room?: keyof typeof ROOM | undefined;
  actions?: ReactNode;
}

/** Author and time of a text. */
export function Author({ actions, ...about }: AuthorProps) {
  return actions ? <AuthorLines {...about} actions={actions} /> : <VisitorsAuthor {...about} />;
}

const VisitorsAuthor = fragment<Omit<AuthorProps, 'actions'>>(AuthorLines);

function AuthorLines({ author, createdAt, editedAt, size = 40, room, actions }: AuthorProps) {
  const text = useText(forumTexts);
  const href = useHref();
  return (
    <div className="flex min-w-0 items-start gap-3">
      <Avatar name={author.username ?? '?'} size={size} className="flex-none" />
      <div className="min-w-0 flex-1">
        <div className={cx('flex items-start justify-between', actions ? 'gap-3' : room && ROOM[room].before)}>
          <p className="flex min-w-0 flex-wrap items-baseline gap-x-2 leading-snug">
            {author.username === null ? (
              <span className="text-quiet italic">{text.forum.left}</span>
            ) : (
              <>
                <Link
                  to={href(`/member/${encodeURIComponent(author.username)}`)}
                  className="font-semibold wrap-anywhere hover:underline"
                >
                  <bdi>{author.username}</bdi>
                </Link>
                {author.staff && <Badge tone="lead">{text.forum.team}</Badge>}
                <span className="figures text-xs text-quiet">{author.shortId}</span>
              </>
            )}
          </p>
          {/* The touch target has its full height without making the line higher: the date has the width below. */}
          {actions ? (
            <div
              className={cx(
                'relative -mt-1.5 -mr-2 -mb-3.5 flex flex-none flex-wrap justify-end',
                room && ROOM[room].loading,
              )}
            >
              {actions}
            </div>
          ) : null}
        </div>
        <p className="text-xs text-quiet">
          <WrittenAt iso={createdAt} />
          {editedAt ? ` · ${text.forum.edited}` : null}
        </p>
      </div>
    </div>
  );
}
