import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { day, percent, whole } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminReportsTexts } from '#app/lib/messages/admin/reports.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import type { FunnelRow, ModerationRow, PageViewsRow } from '#contract/admin/reports.ts';
import { PAGE_KINDS } from '#contract/page-views.ts';
import { LoadError } from '../kit/LoadError.tsx';
import { CsvLink } from '../kit/list/CsvLink.tsx';
import { May } from '../kit/rights.tsx';

/** Number of weeks after the first one that have a column. */
const AGES = 8;
const INPUT = { size: 100 };
/** Days of page views on the screen; the file has all of them. */
const DAYS = { size: 31 };

/** Weekly activity and daily page views: four tables, each with a CSV file, and a link to the money ledger. */
export function ReportsPanel() {
  const messages = useText(adminReportsTexts).reports;
  const href = useHref();
  return (
    <div className="grid grid-cols-1 gap-4">
      <May call="funnel.list">
        <Funnel />
      </May>
      <May call="retention.list">
        <Retention />
      </May>
      <May call="moderationLoad.list">
        <Moderation />
      </May>
      <May call="pageViews.list">
        <Views />
      </May>
      <May call="money.list">
        <section className="admin-panel flex flex-wrap items-center gap-3" aria-label={messages.money.title}>
          <div className="min-w-0 flex-1 basis-64">
            <h2 className="text-lg">{messages.money.title}</h2>
            <p className="text-sm text-quiet">{messages.money.text}</p>
          </div>
          <ButtonLink to={href('/admin/money')} size="sm">
            {messages.money.open}
          </ButtonLink>
        </section>
      </May>
    </div>
  );
}

interface Read<Row> {
  /** Without `asOf` the rows are not aggregated in advance: they are current. */
  data: { rows: Row[]; asOf?: string | null } | undefined;
  isError: boolean;
  error: unknown;
  refetch: () => unknown;
}

interface ReportProps<Row> {
  title: string;
  text: string;
  /** Name of its CSV file. */
  file: string;
  query: Read<Row>;
  columns: readonly (readonly [name: string, cell: (row: Row) => ReactNode])[];
  /** Header of the first column; default: that of weeks. */
  heading?: string;
  /** Text of an empty table; default: the sentence about weeks. */
  empty?: string;
}

/** The day of a row: its own, or the first of its week. */
const dayOf = (row: { week: string } | { day: string }) => ('week' in row ? row.week : row.day);

function Report<Row extends { week: string } | { day: string }>(props: ReportProps<Row>) {
  const { title, text, file, query, columns } = props;
  const messages = useText(adminReportsTexts).reports;
  const locale = useLocale();
  const { data } = query;
  return (
    <section className="admin-panel grid min-w-0 grid-cols-1 gap-3" aria-label={title}>
      <header className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <h2 className="text-lg">{title}</h2>
          <p className="text-sm text-quiet">
            {text}{' '}
            {data?.asOf ? (
              <>
                {messages.asOf} <When iso={data.asOf} />.
              </>
            ) : null}
          </p>
        </div>
        <CsvLink className={buttonClass({ size: 'sm' })} href={`/api/admin/${file}.csv`} label={messages.csvOf(title)}>
          {messages.csv}
        </CsvLink>
      </header>
      {data === undefined ? (
        query.isError ? (
          <LoadError what={messages.failed} of={query} className="admin-note" />
        ) : (
          <SkeletonGroup label={messages.loading} className="grid gap-2">
            <Skeleton className="h-10" />
            <Skeleton className="h-10" />
          </SkeletonGroup>
        )
      ) : data.rows.length === 0 ? (
        <p className="text-quiet">{data.asOf === null ? messages.never : (props.empty ?? messages.empty)}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        <div className="overflow-x-auto" tabIndex={0}>
          <table className="admin-table w-full">
            <caption className="visually-hidden">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{props.heading ?? messages.week}</th>
                {columns.map(([name]) => (
                  <th key={name} scope="col" className="text-end whitespace-nowrap">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <tr key={dayOf(row)}>
                  <th scope="row" className="whitespace-nowrap">
                    {day(`${dayOf(row)}T00:00:00Z`, locale)}
                  </th>
                  {columns.map(([name, cell]) => (
                    <td key={name} className="figures text-end whitespace-nowrap">
                      {cell(row)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** A count with its percentage of the whole. */
function Share({ n, of }: { n: number; of: number }) {
  const locale = useLocale();
  return (
    <>
      {whole(n, locale)}
      {of > 0 ? <span className="ml-1.5 text-sm text-quiet">{percent((n / of) * 100, locale)}</span> : null}
    </>
  );
}

function Funnel() {
  const messages = useText(adminReportsTexts).reports.funnel;
  const locale = useLocale();
  const query = useQuery(rpc.admin.funnel.list.queryOptions({ input: INPUT }));
  return (
    <Report
      title={messages.title}
      text={messages.text}
      file="funnel"
      query={query}
      columns={[
        [messages.started, ({ started }) => whole(started, locale)],
        [messages.filled, ({ filled, started }) => <Share n={filled} of={started} />],
        ...(['step2', 'step3', 'step4', 'step5'] as const).map(
          (name) => [messages[name], (row: FunnelRow) => <Share n={row[name]} of={row.started} />] as const,
        ),
        [messages.ordered, ({ ordered, started }) => <Share n={ordered} of={started} />],
        [messages.paid, ({ paid, started }) => <Share n={paid} of={started} />],
        [messages.delivered, ({ delivered, started }) => <Share n={delivered} of={started} />],
      ]}
    />
  );
}

function Retention() {
  const messages = useText(adminReportsTexts).reports.retention;
  const locale = useLocale();
  const query = useQuery(rpc.admin.retention.list.queryOptions({ input: INPUT }));
  return (
    <Report
      title={messages.title}
      text={messages.text}
      file="retention"
      query={query}
      columns={[
        [messages.voters, ({ voters }) => whole(voters, locale)],
        ...Array.from({ length: AGES }, (_, i) => {
          const age = i + 1;
          return [
            messages.after(age),
            ({ weeks, voters }: { weeks: number[]; voters: number }) =>
              weeks[age] === undefined ? '' : <Share n={weeks[age]} of={voters} />,
          ] as const;
        }),
      ]}
    />
  );
}

function Moderation() {
  const messages = useText(adminReportsTexts).reports.moderation;
  const locale = useLocale();
  const query = useQuery(rpc.admin.moderationLoad.list.queryOptions({ input: INPUT }));
  return (
    <Report
      title={messages.title}
      text={messages.text}
      file="moderation-load"
      query={query}
      columns={(['reported', 'hidden', 'restored', 'kept', 'banned'] as const).map(
        (name) => [messages[name], (row: ModerationRow) => whole(row[name], locale)] as const,
      )}
    />
  );
}

function Views() {
  const messages = useText(adminReportsTexts).reports.views;
  const locale = useLocale();
  const query = useQuery(rpc.admin.pageViews.list.queryOptions({ input: DAYS }));
  return (
    <Report
      title={messages.title}
      text={messages.text}
      file="page-views"
      query={query}
      heading={messages.day}
      empty={messages.empty}
      columns={[
        [messages.views, ({ views }) => whole(views, locale)],
        [messages.arrivals, ({ arrivals, views }) => <Share n={arrivals} of={views} />],
        ...PAGE_KINDS.map((kind) => [messages.kinds[kind], (row: PageViewsRow) => whole(row[kind], locale)] as const),
      ]}
    />
  );
}
