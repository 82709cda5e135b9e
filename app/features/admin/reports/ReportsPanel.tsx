import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { rpc } from '#app/lib/api/rpc.ts';
import { day, integer } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminReportsTexts } from '#app/lib/messages/admin/reports.ts';
import { ButtonLink } from '#app/ui/controls/Button.tsx';
import type { FunnelRow, ModerationRow, PageViewsRow } from '#contract/admin/reports.ts';
import { PAGE_KINDS } from '#contract/page-views.ts';
import { IfAllowed } from '../kit/rights.tsx';
import { Report, Share } from './Report.tsx';

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
      <IfAllowed call="funnel.list">
        <Funnel />
      </IfAllowed>
      <IfAllowed call="retention.list">
        <Retention />
      </IfAllowed>
      <IfAllowed call="moderationLoad.list">
        <Moderation />
      </IfAllowed>
      <IfAllowed call="pageViews.list">
        <Views />
      </IfAllowed>
      <IfAllowed call="money.list">
        <section className="admin-panel flex flex-wrap items-center gap-3" aria-label={messages.money.title}>
          <div className="min-w-0 flex-1 basis-64">
            <h2 className="text-lg">{messages.money.title}</h2>
            <p className="text-sm text-quiet">{messages.money.text}</p>
          </div>
          <ButtonLink to={href('/admin/money')} size="sm">
            {messages.money.open}
          </ButtonLink>
        </section>
      </IfAllowed>
    </div>
  );
}

interface DatedProps<Row> extends Omit<ComponentProps<typeof Report<Row>>, 'keyOf' | 'head' | 'heading'> {
  /** Header of the first column; default: that of weeks. */
  heading?: string;
}

/** The day of a row: its own, or the first of its week. */
const dayOf = (row: { week: string } | { day: string }) => ('week' in row ? row.week : row.day);

function DatedReport<Row extends { week: string } | { day: string }>({ heading, ...rest }: DatedProps<Row>) {
  const messages = useText(adminReportsTexts).reports;
  const locale = useLocale();
  return (
    <Report
      {...rest}
      heading={heading ?? messages.week}
      keyOf={dayOf}
      head={(row) => day(`${dayOf(row)}T00:00:00Z`, locale)}
    />
  );
}

function Funnel() {
  const messages = useText(adminReportsTexts).reports.funnel;
  const locale = useLocale();
  const query = useQuery(rpc.admin.funnel.list.queryOptions({ input: INPUT }));
  return (
    <DatedReport
      title={messages.title}
      text={messages.text}
      file="funnel"
      query={query}
      columns={[
        [messages.started, ({ started }) => integer(started, locale)],
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
    <DatedReport
      title={messages.title}
      text={messages.text}
      file="retention"
      query={query}
      columns={[
        [messages.voters, ({ voters }) => integer(voters, locale)],
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

const MODERATION = [
  'reported',
  'hidden',
  'restored',
  'kept',
  'banned',
  'waited',
  'reviewed',
  'appealed',
  'appealsDecided',
  'requestsDecided',
] as const;

function Moderation() {
  const messages = useText(adminReportsTexts).reports.moderation;
  const locale = useLocale();
  const query = useQuery(rpc.admin.moderationLoad.list.queryOptions({ input: INPUT }));
  return (
    <DatedReport
      title={messages.title}
      text={messages.text}
      file="moderation-load"
      query={query}
      columns={MODERATION.map((name) => [messages[name], (row: ModerationRow) => integer(row[name], locale)] as const)}
    />
  );
}

function Views() {
  const messages = useText(adminReportsTexts).reports.views;
  const locale = useLocale();
  const query = useQuery(rpc.admin.pageViews.list.queryOptions({ input: DAYS }));
  return (
    <DatedReport
      title={messages.title}
      text={messages.text}
      file="page-views"
      query={query}
      heading={messages.day}
      empty={messages.empty}
      columns={[
        [messages.views, ({ views }) => integer(views, locale)],
        [messages.arrivals, ({ arrivals, views }) => <Share n={arrivals} of={views} />],
        ...PAGE_KINDS.map((kind) => [messages.kinds[kind], (row: PageViewsRow) => integer(row[kind], locale)] as const),
      ]}
    />
  );
}
