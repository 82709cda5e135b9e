import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { codeOf } from '#app/lib/api/failure.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { newsTexts } from '#app/lib/messages/news.ts';
import { Markup } from '#app/lib/page/Markup.tsx';
import { Seo } from '#app/lib/page/Seo.tsx';
import { Avatar } from '#app/ui/art/Avatar.tsx';
import { SceneClosedGate } from '#app/ui/art/scenes/SceneClosedGate.tsx';
import { SceneNotFound } from '#app/ui/art/scenes/SceneNotFound.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { NewsItem } from '#contract/domains/news.ts';
import { excerpt, plainText } from '#contract/text/markup.ts';
import { NewsCover } from './NewsCover.tsx';
import { NewsDate } from './NewsDate.tsx';
import { newsItemQuery, newsQuery } from './news.queries.ts';

interface NewsReaderProps {
  id: string;
  /** Search words of the list behind it. */
  searchTerm: string;
  /** The server has already returned NOT_FOUND. */
  missing: boolean;
  /** Buttons below the article. */
  actions: (item: NewsItem) => ReactNode;
}

/**
 * One news item over the list, at an address of its own. The server renders it open, so it can be read before the script is loaded and
 * without it; then it becomes a modal dialog. Closing navigates back, or to the list when there is no history.
 */
export function NewsReader({ id, searchTerm, missing, actions }: NewsReaderProps) {
  const text = useText(newsTexts);
  const href = useHref();
  const navigate = useNavigate();
  const { state } = useLocation();
  const dialog = useRef<HTMLDialogElement>(null);
  const leaving = useRef(false);
  const titleId = useId();
  const list = href('/news') + newsQuery(searchTerm);
  const overList = (state as { overList?: boolean } | null)?.overList === true;

  useEffect(() => {
    const element = dialog.current;
    if (!element || element.matches(':modal')) return;
    // Rendered open but not modal, which needs a script.
    element.removeAttribute('open');
    element.showModal();
    element.focus();
  }, []);

  function close(event?: MouseEvent) {
    if (event && (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0)) return;
    event?.preventDefault();
    if (leaving.current) return;
    leaving.current = true;
    if (overList) void navigate(-1);
    else void navigate(list, { preventScrollReset: true });
  }

  return (
    <>
      <Link to={list} className="veil" tabIndex={-1} aria-hidden="true" onClick={close} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape does the same. */}
      <dialog
        ref={dialog}
        open
        tabIndex={-1}
        aria-labelledby={titleId}
        className="dialog max-w-none p-0 outline-none backdrop:bg-transparent sm:w-[min(46rem,calc(100vw-3rem))]"
        onCancel={(event) => {
          event.preventDefault();
          close();
        }}
        onClose={() => close()}
        onClick={(event) => {
          if (event.target !== event.currentTarget) return;
          const box = event.currentTarget.getBoundingClientRect();
          const inside =
            event.clientX >= box.left &&
            event.clientX <= box.right &&
            event.clientY >= box.top &&
            event.clientY <= box.bottom;
          if (!inside) close();
        }}
      >
        <div className="sticky top-0 z-10 h-0">
          <Link
            to={list}
            onClick={close}
            aria-label={text.news.close}
            title={text.news.close}
            className={buttonClass({ icon: true, className: 'absolute top-3 right-3 rounded-full' })}
          >
            <X aria-hidden="true" />
          </Link>
        </div>
        <Content
          id={id}
          missing={missing}
          titleId={titleId}
          actions={(item) => (
            <>
              {item && actions(item)}
              <ButtonLink to={list} onClick={close} variant={item ? 'secondary' : 'primary'}>
                {text.news.back}
              </ButtonLink>
            </>
          )}
        />
      </dialog>
    </>
  );
}

interface ContentProps {
  id: string;
  missing: boolean;
  titleId: string;
  actions: (item?: NewsItem) => ReactNode;
}

function Content({ id, missing, titleId, actions }: ContentProps) {
  const text = useText(newsTexts);
  const { data: item, error, refetch } = useQuery({ ...newsItemQuery(id), enabled: !missing });
  if (item)
    return (
      <article>
        <Seo
          title={`${item.title} · ${text.brand.name}`}
          description={excerpt(plainText(item.content), 160)}
          card={`news/${item.id}`}
          type="article"
          about={(absolute) => ({
            '@type': 'NewsArticle',
            headline: item.title,
            datePublished: item.publishedAt ?? undefined,
            dateModified: item.updatedAt,
            author: { '@type': 'Person', name: item.authorName },
            mainEntityOfPage: absolute(`/news/${item.id}`),
          })}
        />
        <NewsCover id={item.id} src={item.imageUrl} eager className="max-h-72 w-full" />
        <div className="p-6 sm:p-9">
          <div className="flex flex-wrap items-center gap-2.5 text-sm text-quiet">
            <Avatar name={item.authorName} size={32} />
            <span className="font-medium text-text">{item.authorName}</span>
            <span aria-hidden="true">·</span>
            <NewsDate at={item.publishedAt} />
          </div>
          <h2 id={titleId} dir="auto" className="mt-4 text-title font-extrabold [overflow-wrap:anywhere]">
            <TextInItsLanguage>{item.title}</TextInItsLanguage>
          </h2>
          <div className="mt-5 grid gap-4 text-[1.0625rem] leading-relaxed [overflow-wrap:anywhere] *:min-w-0">
            <Markup source={item.content} />
          </div>
          <div className="mt-8 flex flex-wrap gap-3 border-t border-line pt-6">{actions(item)}</div>
        </div>
      </article>
    );
  if (missing || (error && codeOf(error) === 'NOT_FOUND'))
    return (
      <>
        <Seo title={`${text.news.missing} · ${text.brand.name}`} hidden />
        <EmptyState
          scene={<SceneNotFound />}
          title={<span id={titleId}>{text.news.missing}</span>}
          text={text.news.missingText}
          action={actions()}
        />
      </>
    );
  if (error)
    return (
      <EmptyState
        role="alert"
        scene={<SceneClosedGate />}
        title={<span id={titleId}>{text.news.openError}</span>}
        action={
          <>
            <Button variant="primary" onClick={() => void refetch()}>
              {text.news.retry}
            </Button>
            {actions()}
          </>
        }
      />
    );
  return (
    <SkeletonGroup label={text.news.opening}>
      <Skeleton className="h-56 rounded-none" />
      <div className="grid gap-4 p-6 sm:p-9">
        <p id={titleId} className="text-quiet">
          {text.news.opening}
        </p>
        <Skeleton className="h-10 w-3/4" />
        <Skeleton className="h-40" />
      </div>
    </SkeletonGroup>
  );
}
