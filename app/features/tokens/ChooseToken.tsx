import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Form, Link } from 'react-router';
import { failureText } from '#app/lib/api/failure.ts';
import { useHref, useText } from '#app/lib/i18n/i18n.tsx';
import { exploreTexts } from '#app/lib/messages/explore.ts';
import { TokenImage } from '#app/ui/art/TokenImage.tsx';
import { Button, ButtonLink } from '#app/ui/controls/Button.tsx';
import { Field, Input } from '#app/ui/controls/Field.tsx';
import { Card } from '#app/ui/layout/Card.tsx';
import { SEARCH_MAX } from '#contract/limits.ts';
import { choicesQuery } from './explore.queries.ts';

interface ChooseTokenProps {
  /** Slug or id of the side that is chosen already; null for none. */
  one: string | null;
  /** Search words. */
  q: string;
}

/** Finds a token for one side of a comparison, with a form that needs no scripts. */
export function ChooseToken({ one, q }: ChooseTokenProps) {
  const texts = useText(exploreTexts);
  const { compare: text, explore } = texts;
  const href = useHref();
  const heading = useId();
  const { data, isError, error, isFetching, refetch } = useQuery(choicesQuery(q));
  const hits = data ? [...data.tokens.items, ...data.candidates.items, ...data.launches.items] : [];
  const path = (slug: string) => href(one ? `/compare?a=${encodeURIComponent(one)}&b=${slug}` : `/compare?a=${slug}`);
  return (
    <Card className="max-w-2xl p-5">
      <section aria-labelledby={heading} className="grid gap-4">
        <h2 id={heading} className="text-xl">
          {one ? text.chooseOther : text.choose}
        </h2>
        <Form method="get" action={href('/compare')} preventScrollReset className="flex items-end gap-2">
          {one ? <input type="hidden" name="a" value={one} /> : null}
          <Field label={text.search} className="flex-1">
            <Input
              type="search"
              name="find"
              defaultValue={q}
              maxLength={SEARCH_MAX}
              dir="auto"
              autoComplete="off"
              required
            />
          </Field>
          <Button type="submit">{text.find}</Button>
        </Form>
        {q && isError && !data ? (
          <p role="alert" className="flex flex-wrap items-center gap-3">
            {text.searchFailed}: {failureText(error, texts)}
            <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
              {explore.retry}
            </Button>
          </p>
        ) : null}
        {q && data && hits.length === 0 ? <p role="status">{text.noHits}</p> : null}
        {hits.length > 0 ? (
          <ul className="grid">
            {hits.map((hit) => (
              <li key={`${hit.kind}:${hit.id}`}>
                <Link to={path(hit.tokenSlug ?? hit.id)} className="flex min-h-12 items-center gap-3 hover:underline">
                  <TokenImage id={hit.id} symbol={hit.tokenSymbol} src={hit.imageUrl} alt="" size={32} />
                  <span dir="auto" className="min-w-0 font-semibold wrap-anywhere">
                    {hit.tokenName}
                  </span>
                  <span className="figures text-sm text-quiet">${hit.tokenSymbol}</span>
                </Link>
              </li>
            ))}
          </ul>
        ) : null}
        <ButtonLink
          to={href(one ? `/tokens?with=${encodeURIComponent(one)}` : '/tokens')}
          variant="ghost"
          className="-ml-4.5 justify-self-start"
        >
          {text.browse}
        </ButtonLink>
      </section>
    </Card>
  );
}
