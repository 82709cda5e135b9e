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

/** Width reserved while the session (`before`) and the code of the actions (`loading`) load. On a phone the actions are below the name. */
const ROOM = {
  2: { before: 'sm:in-data-[member]:pr-21', loading: 'sm:min-w-20' },
  3: { before: 'sm:in-data-[member]:pr-31', loading: 'sm:min-w-30' },
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
        {/* On a phone a member's page shows the id below the name, in one line with the actions: beside them no name would fit. */}
        <div
          className={cx(
            'flex items-start gap-x-2',
            actions
              ? 'max-sm:flex-col'
              : cx('max-sm:flex-wrap in-data-[member]:max-sm:flex-col', room && ROOM[room].before),
          )}
        >
          <p className="flex max-w-full min-w-0 flex-wrap items-baseline gap-x-2 leading-6">
            {author.username === null ? (
              <span className="text-quiet italic">{text.forum.left}</span>
            ) : (
              <>
                <Link
                  to={href(`/member/${encodeURIComponent(author.username)}`)}
                  className="relative z-1 font-semibold wrap-anywhere hover:underline"
                >
                  <bdi>{author.username}</bdi>
                </Link>
                {author.staff && <Badge tone="lead">{text.forum.team}</Badge>}
              </>
            )}
          </p>
          <div className="flex max-w-full items-start justify-between max-sm:self-stretch sm:flex-1 sm:gap-2">
            {author.username === null ? (
              // As high as the id: on a phone the actions below the name would move what follows when they arrive.
              <span className="min-h-6" />
            ) : (
              <span className="figures flex-none text-xs leading-6 text-quiet">{author.shortId}</span>
            )}
            {/* The touch targets have their full height without making the line higher; the name above is over them, not under. */}
            {actions ? (
              <div
                className={cx('relative -mt-2 -mr-2 -mb-3.5 flex flex-wrap justify-end', room && ROOM[room].loading)}
              >
                {actions}
              </div>
            ) : null}
          </div>
        </div>
        <p className="text-xs text-quiet">
          <WrittenAt iso={createdAt} />
          {/* On a phone a line of its own: with the server's UTC there is no room beside the time, without it there is. */}
          {editedAt ? (
            <>
              <span className="max-sm:hidden"> · </span>
              <span className="max-sm:block">{text.forum.edited}</span>
            </>
          ) : null}
        </p>
      </div>
    </div>
  );
}
