import { useQuery } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { Link } from 'react-router';
import { cents, day } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { plansTexts } from '#app/lib/messages/plans.ts';
import { sitePagesTexts } from '#app/lib/messages/site-pages.ts';
import { MarkupDocument } from '#app/lib/page/Markup.tsx';
import { OffSaleNote } from '#app/lib/page/OffSaleNote.tsx';
import { PlanNote } from '#app/lib/page/PlanNote.tsx';
import { Seo } from '#app/lib/page/Seo.tsx';
import { Button } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { cx } from '#app/ui/cx.ts';
import { EmptyState } from '#app/ui/layout/EmptyState.tsx';
import { PageHead, Section } from '#app/ui/layout/Page.tsx';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { SitePageName } from '#contract/domains/site-pages.ts';
import { PLANS, SITE_PAGES } from '#contract/limits.ts';
import { firstWords } from '#contract/text/markup.ts';
import { contactQuery, sitePageQuery } from './site-pages.queries.ts';

const ARTICLE =
  'grid max-w-[70ch] gap-4 text-[1.0625rem] leading-relaxed wrap-anywhere [&_h2]:mt-4 [&_h2]:text-2xl [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-2 [&_ul]:pl-5';

/** A page about the site: the operator's text, or the built-in one, with the content specific to its kind. */
export function SiteText({ page }: { page: SitePageName }) {
  const text = useText(sitePagesTexts);
  const messages = text.sitePages;
  const locale = useLocale();
  const query = useQuery(sitePageQuery(page, locale));
  const builtIn = messages.defaults[page];
  // Until it is loaded it is unknown whether an operator has replaced the text: outdated terms must not be shown.
  if (!query.data)
    return (
      <div className="page py-10">
        <Seo title={`${builtIn.title} · ${text.brand.name}`} />
        <PageHead title={builtIn.title} />
        {query.isError ? (
          <EmptyState
            role="alert"
            title={messages.failed}
            text={messages.failedText}
            action={<Button onClick={() => void query.refetch()}>{messages.retry}</Button>}
          />
        ) : (
          <SkeletonGroup label={messages.loading} className="mt-6 grid max-w-[70ch] gap-3">
            <Skeleton className="h-5" />
            <Skeleton className="h-5" />
            <Skeleton className="h-40" />
          </SkeletonGroup>
        )}
      </div>
    );
  const { title, body, updatedAt } = query.data;
  const shown = { title: title ?? builtIn.title, body: body ?? builtIn.body };
  return (
    <div className="page py-8 md:py-10">
      <Seo title={`${shown.title} · ${text.brand.name}`} description={firstWords(shown.body)} />
      <PageHead title={shown.title} />
      <div className="gap-x-12 lg:grid lg:grid-cols-[minmax(0,1fr)_15rem]">
        <div className="min-w-0">
          {page === 'prices' ? <PlanPrices /> : null}
          <article className={cx(ARTICLE, 'mt-6')}>
            <MarkupDocument source={shown.body} />
          </article>
          {page === 'contact' ? <Contact builtIn={body === null} /> : null}
          <p className="mt-8 text-sm text-quiet">
            {updatedAt ? messages.updated(day(updatedAt, locale)) : messages.builtIn}
          </p>
        </div>
        <Others page={page} />
      </div>
    </div>
  );
}

/** Links to the other pages about the site, where there is room; the footer has the same. */
function Others({ page }: { page: SitePageName }) {
  const text = useText(sitePagesTexts);
  const href = useHref();
  return (
    <nav aria-label={text.sitePages.others} className="mt-6 hidden lg:block">
      <ul className="grid border-l border-line pl-5">
        {SITE_PAGES.map((one) => (
          <li key={one}>
            <Link
              to={href(`/${one}`)}
              className={cx('inline-flex min-h-11 items-center', one === page ? 'font-semibold' : 'link')}
              aria-current={one === page ? 'page' : undefined}
            >
              {text.nav.pages[one]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The prices of the wizard, from the same source. */
function PlanPrices() {
  const text = useText(sitePagesTexts, plansTexts);
  const locale = useLocale();
  const plans = Object.entries(PLANS) as [keyof typeof PLANS, (typeof PLANS)[keyof typeof PLANS]][];
  return (
    <Section title={text.sitePages.plans}>
      <div className="grid gap-4 sm:grid-cols-2">
        {plans.map(([plan, { priceUsd, items }]) => (
          <section key={plan} className="card p-5" aria-labelledby={`plan-${plan}`}>
            <h3 id={`plan-${plan}`} className="text-xl">
              {text.plans.name[plan]}
            </h3>
            <p className="figures mt-1 text-2xl font-bold">{text.sitePages.planPrice(cents(priceUsd, locale))}</p>
            <PlanNote plan={plan} className="mt-1" />
            <ul className="mt-3 grid list-disc gap-1 pl-5">
              {items.map((item) => (
                <li key={item}>{text.plans.item[item]}</li>
              ))}
            </ul>
            <OffSaleNote plan={plan} />
          </section>
        ))}
      </div>
    </Section>
  );
}

/**
 * The contact address, or a note that there is none: the note only for the built-in text, since the operator's own may name another
 * contact.
 */
function Contact({ builtIn }: { builtIn: boolean }) {
  const messages = useText(sitePagesTexts).sitePages;
  const { data } = useQuery(contactQuery());
  if (!data) return null;
  if (!data.supportEmail) return builtIn ? <p className="card mt-6 p-5">{messages.noMail}</p> : null;
  return (
    <div className="card mt-6 flex flex-wrap items-center justify-between gap-3 p-5">
      <p className="figures break-all">{data.supportEmail}</p>
      <a href={`mailto:${data.supportEmail}`} className={buttonClass({ variant: 'primary' })}>
        <Mail aria-hidden="true" />
        {messages.write}
      </a>
    </div>
  );
}
