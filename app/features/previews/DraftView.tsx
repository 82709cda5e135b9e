import type { ReactNode } from 'react';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { previewTexts } from '#app/lib/messages/preview.ts';
import { Markup } from '#app/lib/page/Markup.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { Preview } from '#contract/domains/previews.ts';

interface DraftViewProps {
  draft: Preview;
  /** The card of a launch, rendered by another feature. */
  launch: ReactNode;
}

/** A preview of a draft as its readers will see it, with its kind and publication date above. */
export function DraftView({ draft, launch }: DraftViewProps) {
  const { preview: text } = useText(previewTexts);
  const locale = useLocale();
  return (
    <>
      <section aria-label={text.state} className="card mb-6 grid gap-2 p-5">
        <p className="flex flex-wrap items-center gap-2">
          <Badge tone={draft.shown ? 'mint' : 'sky'}>{draft.shown ? text.shown : text.hidden}</Badge>
          <span className="text-sm text-quiet">{text.kinds[draft.kind]}</span>
        </p>
        <p className="text-sm text-quiet">
          {draft.publishAt ? (
            <>
              {text.appears} <When iso={draft.publishAt} />.{' '}
            </>
          ) : null}
          {draft.expireAt ? (
            <>
              {text.goes} <When iso={draft.expireAt} />.{' '}
            </>
          ) : null}
          {text.until} <When iso={draft.endsAt} />.
        </p>
      </section>
      {draft.kind === 'news' ? (
        <article className="card overflow-hidden">
          {draft.item.imageUrl ? (
            <img src={draft.item.imageUrl} alt="" className="max-h-72 w-full object-cover" />
          ) : null}
          <div className="p-6 sm:p-9">
            <p className="text-sm text-quiet">{draft.item.authorName}</p>
            <h2 dir="auto" className="mt-2 text-title font-extrabold wrap-anywhere">
              <TextInItsLanguage>{draft.item.title}</TextInItsLanguage>
            </h2>
            <div className="mt-5 grid gap-4 text-[1.0625rem] leading-relaxed wrap-anywhere *:min-w-0">
              <Markup source={draft.item.content} />
            </div>
          </div>
        </article>
      ) : null}
      {draft.kind === 'next_project' ? launch : null}
      {draft.kind === 'announcement' ? (
        <div className="card p-6 text-lg wrap-anywhere whitespace-pre-line">{draft[locale]}</div>
      ) : null}
    </>
  );
}
