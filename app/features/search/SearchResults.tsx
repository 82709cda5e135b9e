import { Newspaper, StickyNote, User } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { day, integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { TextInItsLanguage } from '#app/lib/i18n/TextInItsLanguage.tsx';
import { profileTexts } from '#app/lib/messages/profiles.ts';
import { searchTexts } from '#app/lib/messages/search.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { HIT_ATTRIBUTE } from '#app/ui/controls/move-through-hits.ts';
import type { TokenHit } from '#contract/domains/search.ts';
import { SEARCH_GROUPS } from '#contract/limits.ts';
import type { SeenResults } from './restricted-results.ts';
import { type GroupPage, searchPath } from './search.queries.ts';

/** Results by members whom the reader blocked, which are not shown. */
const hiddenIn = (results: SeenResults, name: (typeof SEARCH_GROUPS)[number]): number =>
  name === 'posts' || name === 'people' ? results[name].hidden : 0;
/** True when nothing of a group was found; when all of it is by blocked members, the group says so and leads to the rest. */
const isEmptyGroup = (results: SeenResults, name: (typeof SEARCH_GROUPS)[number]): boolean =>
  results[name].items.length === 0 && !results[name].more && hiddenIn(results, name) === 0;
/** True when nothing was found. */
export const isEmpty = (results: SeenResults): boolean => SEARCH_GROUPS.every((name) => isEmptyGroup(results, name));

interface SearchResultsProps {
  results: SeenResults;
  /** The search words. */
  terms: string;
  /** Heading level of the groups. */
  level: 2 | 3;
  /** The group that is shown alone, in pages. */
  kind?: GroupPage['kind'] | undefined;
  /** Called when a result is chosen. */
  onFollow?: () => void;
}

/** The results, grouped by kind; empty groups are omitted. */
export function SearchResults({ results, terms, level, kind, onFollow }: SearchResultsProps) {
  const text = useText(searchTexts);
  const rows = useRows();
  const href = useHref();
  const locale = useLocale();
  const q = `?${new URLSearchParams({ q: terms })}`;
  const all = { news: ['/news', text.search.moreNews], posts: ['/forum', text.search.morePosts] } as const;
  const Heading = `h${level}` as const;
  return SEARCH_GROUPS.filter((name) => !isEmptyGroup(results, name)).map((name) => {
    const hidden = hiddenIn(results, name);
    const next = kind === name ? results.nextCursor : undefined;
    const [path, label] = name in all ? all[name as keyof typeof all] : [];
    const to = path
      ? path + q
      : next === null
        ? null
        : searchPath(terms, { kind: name as GroupPage['kind'], cursor: next });
    return (
      <section key={name} aria-labelledby={`found-${name}`} className="min-w-0">
        <Heading id={`found-${name}`} className="mb-2 text-lg">
          {text.search.groups[name]}
        </Heading>
        {results[name].items.length > 0 ? (
          <ul className="card divide-y divide-line overflow-hidden">
            {rows(results)[name].map(({ key, ...row }) => (
              <li key={key}>
                <Row {...row} {...(onFollow ? { onFollow } : {})} />
              </li>
            ))}
          </ul>
        ) : null}
        {hidden > 0 ? <p className="mt-2 text-sm text-quiet">{text.search.hidden(integer(hidden, locale))}</p> : null}
        {results[name].more ? (
          <p className="mt-2 text-sm text-quiet">
            {to ? (
              <Link
                id={`more-${name}`}
                to={href(to)}
                aria-labelledby={label ? undefined : `more-${name} found-${name}`}
                className="link inline-flex min-h-10 items-center"
                onClick={onFollow}
              >
                {label ?? text.search.next}
              </Link>
            ) : (
              text.search.more
            )}
          </p>
        ) : null}
      </section>
    );
  });
}

interface RowProps {
  to: string;
  image: ReactNode;
  title: string;
  /** Next to the title: the ticker of a token, or the short id of a member. */
  identifier?: string;
  text?: string | null;
  note?: string | null;
  onFollow?: () => void;
}

function Row({ to, image, title, identifier, text, note, onFollow }: RowProps) {
  return (
    <Link
      to={to}
      {...HIT_ATTRIBUTE}
      onClick={onFollow}
      className="flex min-h-14 items-center gap-3 px-3.5 py-2.5 hover:bg-raised focus-visible:bg-raised"
    >
      <span className="flex size-9 flex-none items-center justify-center text-quiet">{image}</span>
      <span className="min-w-0 flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <span dir="auto" className="font-semibold wrap-anywhere">
            <TextInItsLanguage>{title}</TextInItsLanguage>
          </span>
          {identifier ? <span className="figures text-sm text-quiet">{identifier}</span> : null}
          {note ? <span className="text-sm text-quiet">{note}</span> : null}
        </span>
        {text ? (
          <span dir="auto" className="line-clamp-1 text-sm text-quiet wrap-anywhere">
            <TextInItsLanguage>{text}</TextInItsLanguage>
          </span>
        ) : null}
      </span>
    </Link>
  );
}

/** Renders each kind of result as a row with a link. */
function useRows() {
  const { search: text } = useText(searchTexts);
  const { restrictions } = useText(profileTexts);
  const locale = useLocale();
  const href = useHref();
  const token = ({ kind, id, tokenName, tokenSymbol, tokenSlug, imageUrl, description, corrected }: TokenHit) => ({
    key: id,
    to: href(`/token/${tokenSlug ?? id}${kind === 'candidate' ? '/candidate' : ''}`),
    image: <TokenImage id={id} symbol={tokenSymbol} src={imageUrl} alt="" size={36} />,
    title: tokenName,
    identifier: `$${tokenSymbol}`,
    text: description,
    note: corrected ? text.corrected : null,
  });
  return (results: SeenResults) => ({
    tokens: results.tokens.items.map(token),
    candidates: results.candidates.items.map(token),
    launches: results.launches.items.map(token),
    news: results.news.items.map(({ id, title, excerpt, publishedAt }) => ({
      key: id,
      to: href(`/news/${id}`),
      image: <Newspaper aria-hidden="true" className="size-5" />,
      title,
      text: excerpt,
      note: publishedAt ? day(publishedAt, locale) : null,
    })),
    posts: results.posts.items.map(({ id, title, excerpt, username, commentCount, collapsed }) => ({
      key: id,
      to: href(`/forum/${id}`),
      image: <StickyNote aria-hidden="true" className="size-5" />,
      // Its own page hides the text until it is opened, too.
      title: collapsed ? restrictions.collapsed(username ?? '') : title,
      text: collapsed ? null : excerpt,
      note: collapsed
        ? null
        : [
            username === null ? text.gone : text.by(username),
            commentCount > 0 ? text.comments(integer(commentCount, locale)) : '',
          ]
            .filter(Boolean)
            .join(' · '),
    })),
    people: results.people.items.map(({ username, shortId, postTitle }) => ({
      key: username,
      to: href(`/member/${encodeURIComponent(username)}`),
      image: <User aria-hidden="true" className="size-5" />,
      title: username,
      identifier: shortId,
      text: postTitle === null ? null : text.lastPost(postTitle),
    })),
  });
}
