import type { ReactNode } from 'react';
import { integer, percent } from '#app/lib/format/format.ts';
import { When } from '#app/lib/format/When.tsx';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminReportsTexts } from '#app/lib/messages/admin/reports.ts';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { cx } from '#app/ui/cx.ts';
import { Skeleton, SkeletonGroup } from '#app/ui/layout/Skeleton.tsx';
import { LoadError } from '../kit/LoadError.tsx';
import { CsvLink } from '../kit/list/CsvLink.tsx';

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
  /** Key of a row, and what heads it. */
  keyOf: (row: Row) => string;
  head: (row: Row) => ReactNode;
  /** Header of the first column. */
  heading: string;
  /** Name of its CSV file, which has headings in the page's language, with the order of its rows where it is not that of the API. */
  file: string;
  sort?: string;
  query: Read<Row>;
  /** A cell with an empty text has no value. Texts are not set in the type of figures. */
  columns: readonly (readonly [name: string, cell: (row: Row) => ReactNode, kind?: 'text'])[];
  /** Text of an empty table; default: the sentence about weeks. */
  empty?: string;
}

/** A table of figures with its CSV file. */
export function Report<Row>(props: ReportProps<Row>) {
  const { title, text, file, sort, query, columns } = props;
  const messages = useText(adminReportsTexts).reports;
  const locale = useLocale();
  const parameters = new URLSearchParams({
    ...(sort ? { sort } : {}),
    headings: locale,
  });
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
        <CsvLink
          className={buttonClass({ size: 'sm' })}
          href={`/api/admin/${file}.csv?${parameters}`}
          label={messages.csvOf(title)}
        >
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
                <th scope="col">{props.heading}</th>
                {columns.map(([name]) => (
                  <th key={name} scope="col" className="text-end whitespace-nowrap">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <tr key={props.keyOf(row)}>
                  <th scope="row" className="whitespace-nowrap max-md:h-auto max-md:py-2">
                    {props.head(row)}
                  </th>
                  {columns.map(([name, cell, kind = 'figure']) => {
                    const value = cell(row);
                    return (
                      <td key={name} data-label={name} className="text-end whitespace-nowrap">
                        {value === '' ? null : <span className={cx(kind === 'figure' && 'figures')}>{value}</span>}
                      </td>
                    );
                  })}
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
export function Share({ n, of }: { n: number; of: number }) {
  const locale = useLocale();
  return (
    <>
      {integer(n, locale)}
      {of > 0 ? <span className="ml-1.5 text-sm text-quiet">{percent((n / of) * 100, locale)}</span> : null}
    </>
  );
}
