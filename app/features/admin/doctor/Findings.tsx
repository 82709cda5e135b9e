import '../facts.css';
import { useQuery } from '@tanstack/react-query';
import { rpc } from '#app/lib/api/rpc.ts';
import { When } from '#app/lib/format/When.tsx';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminDoctorTexts } from '#app/lib/messages/admin/doctor.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { Badge } from '#app/ui/layout/Badge.tsx';
import type { Finding } from '#contract/admin/settings.ts';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';

/** Output of the operator's command `doctor` for the responding process; in English. */
export function Findings() {
  const messages = useText(adminDoctorTexts).doctor;
  const query = useQuery(rpc.admin.settings.doctor.queryOptions());
  if (!query.data)
    return (
      <LoadingOrError
        query={query}
        loading={messages.loading}
        failed={messages.failed}
        placeholders={['h-28 rounded-card', 'h-28 rounded-card', 'h-28 rounded-card']}
      />
    );
  const { findings, at } = query.data;
  const problems = findings.filter(({ problem }) => problem !== null);
  const parts = [...new Set(findings.map(({ part }) => part))];
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center gap-3">
        <Badge tone={problems.length > 0 ? 'coral' : 'mint'}>
          {problems.length > 0 ? messages.problems(problems.length) : messages.fine}
        </Badge>
        <span className="text-sm text-quiet">
          {messages.readAt} <When iso={at} />
        </span>
        <Button size="sm" busy={query.isFetching} onClick={() => void query.refetch()}>
          {messages.again}
        </Button>
        {query.isError && !query.isFetching ? <span role="alert">{messages.failed}</span> : null}
      </div>
      {parts.map((part) => (
        <section key={part} className="admin-panel grid grid-cols-1 gap-3" aria-label={part} lang="en">
          <h2 className="text-lg">{part}</h2>
          <dl className="admin-facts">
            {findings
              .filter((one) => one.part === part)
              .map((one, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the report has no other key, and lines may share a name.
                <Line key={index} of={one} />
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}

function Line({ of: { name, value, problem } }: { of: Finding }) {
  return (
    <div className={problem ? 'admin-wide' : undefined}>
      <dt>{name}</dt>
      <dd>
        {value}
        {problem ? (
          <p className="admin-callout mt-1 text-sm" data-tone="coral">
            {problem}
          </p>
        ) : null}
      </dd>
    </div>
  );
}
