import '../facts.css';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation } from 'react-router';
import { client, rpc } from '#app/lib/api/rpc.ts';
import type { Locale } from '#app/lib/format/format.ts';
import { useHref, useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminSettingsTexts } from '#app/lib/messages/admin/settings.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import type { AdminSetting } from '#contract/admin/settings.ts';
import { PreviewLink } from '../editorial/PreviewLink.tsx';
import { Cancelled, useAdminFailure } from '../kit/failures.ts';
import type { ImagePicker } from '../kit/forms/ImageField.tsx';
import { LoadingOrError } from '../kit/LoadingOrError.tsx';
import { useStepUp } from '../kit/StepUp.tsx';
import { SettingsForm } from './SettingsForm.tsx';

/** True when there is an announcement, shown now or later. It has texts in both languages. */
const isAnnounced = (settings: AdminSetting[]): boolean =>
  (['bannerEs', 'bannerEn'] as const).every((name) => settings.find((one) => one.name === name)?.value);

/** All settings, a form for each group; below those of mail, Telegram and payments the tests of them. */
export function SettingsPanel({ picker }: { picker: ImagePicker }) {
  const messages = useText(adminSettingsTexts).settings;
  const query = useQuery(rpc.admin.settings.list.queryOptions());
  const { hash, key } = useLocation();
  const loaded = query.data !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same part may be asked for once more.
  useEffect(() => {
    // The router looked for it before the settings were there.
    if (loaded && hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [loaded, hash, key]);
  if (!query.data)
    return (
      <LoadingOrError
        query={query}
        loading={messages.loading}
        failed={messages.loadFailed}
        placeholders={['h-56 rounded-card', 'h-56 rounded-card']}
      />
    );
  const groups = [...new Set(query.data.map(({ group }) => group))];
  return (
    <div className="grid grid-cols-1 gap-4">
      <nav aria-label={messages.parts} className="flex flex-wrap gap-x-5">
        {groups.map((group) => (
          <Link key={group} to={`#${group}`} className="link inline-flex min-h-11 items-center text-sm">
            {messages.groups[group].title}
          </Link>
        ))}
      </nav>
      {groups.map((group) => (
        <section
          key={group}
          id={group}
          className="admin-panel grid grid-cols-1 gap-4"
          aria-label={messages.groups[group].title}
        >
          <header>
            <h2 className="text-lg">{messages.groups[group].title}</h2>
            <p className="mt-1 max-w-[46rem] text-sm text-quiet">{messages.groups[group].text}</p>
          </header>
          <SettingsForm group={group} settings={query.data.filter((one) => one.group === group)} picker={picker} />
          {group === 'announcement' ? (
            <PreviewLink
              kind="announcement"
              id={null}
              missing={isAnnounced(query.data) ? undefined : messages.noAnnouncement}
            />
          ) : null}
          {group === 'mail' || group === 'payments' || group === 'telegram' ? <ServiceTest of={group} /> : null}
        </section>
      ))}
    </div>
  );
}

const SERVICE_TESTS = {
  mail: (locale: Locale) => client.admin.settings.testMail({ locale }),
  payments: () => client.admin.settings.testPayment(undefined),
  telegram: () => client.admin.settings.testTelegram(undefined),
};

/** Tests the stored settings, and shows the response of the other side. */
function ServiceTest({ of: group }: { of: Extract<AdminSetting['group'], 'mail' | 'payments' | 'telegram'> }) {
  const messages = useText(adminSettingsTexts).settings.trial;
  const href = useHref();
  const locale = useLocale();
  const failure = useAdminFailure();
  const withProof = useStepUp();
  const run = useMutation({
    mutationFn: () => withProof(() => SERVICE_TESTS[group](locale)),
    onError: (error) => {
      if (!(error instanceof Cancelled)) notify.failed(error, { title: messages[group].failed, text: failure(error) });
    },
  });
  return (
    <div className="admin-sub grid gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <Button size="sm" busy={run.isPending} busyLabel={messages.running} onClick={() => run.mutate()}>
          {messages[group].action}
        </Button>
        <span className="text-sm text-quiet">{messages[group].hint}</span>
        {group === 'mail' ? (
          <Link to={href('/admin/people')} className="link text-sm">
            {messages.mail.fate}
          </Link>
        ) : null}
      </div>
      {run.data ? (
        <p role="status" className="admin-callout text-sm wrap-anywhere" data-tone={run.data.ok ? 'mint' : 'coral'}>
          <strong>
            {run.data.ok
              ? group === 'mail' && !/^smtps?:/.test(run.data.target)
                ? messages.mail.stored
                : messages[group].ok
              : run.data.target === ''
                ? messages[group].nowhere
                : messages[group].failed}
          </strong>{' '}
          {run.data.target}
          {run.data.detail && run.data.ok ? <span className="block">{run.data.detail}</span> : null}
          {run.data.detail && !run.data.ok ? (
            <span className="block">
              {messages.detail} <code lang="en">{run.data.detail}</code>
            </span>
          ) : null}
          {run.data.url ? (
            <a className="block" href={run.data.url} target="_blank" rel="noreferrer">
              {messages.open}
            </a>
          ) : null}
        </p>
      ) : null}
    </div>
  );
}
