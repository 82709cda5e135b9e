import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { readPush, turnPushOff, turnPushOn } from './browser-push.ts';
import { settingsQuery, useLocaleAndZone } from './notifications.queries.ts';

const KEY = ['browser push'];

/**
 * Push notifications in this browser. It asks for permission when the button is pressed, and never before.
 *
 * @param endpoints that the server sends the member's pushes of this session to.
 */
export function BrowserPush({ siteKey, endpoints }: { siteKey: string; endpoints: readonly string[] }) {
  const text = useText(notificationTexts);
  const { notifications: messages } = text;
  const queries = useQueryClient();
  const localeAndZone = useLocaleAndZone();
  const { data } = useQuery({ queryKey: KEY, queryFn: readPush, staleTime: 0 });
  const on = data?.state === 'subscribed' && endpoints.includes(data.endpoint);
  const change = useMutation({
    mutationFn: () => (on ? turnPushOff() : turnPushOn(siteKey, localeAndZone)),
    onSuccess: (next) => {
      queries.setQueryData(KEY, next);
      if (next.state !== 'subscribed') return;
      queries.setQueryData(
        settingsQuery().queryKey,
        (old) => old && { ...old, pushEndpoints: [...old.pushEndpoints, next.endpoint] },
      );
    },
  });
  const refused = change.error && codeOf(change.error);
  const refusal =
    refused === 'PUSH_SERVICE_UNKNOWN'
      ? messages.pushServiceUnknown
      : refused === 'PUSH_KEYS_INVALID'
        ? messages.pushKeysInvalid
        : refused && failureText(change.error, text);
  return (
    <div className="card p-4">
      <h3 className="text-base">{messages.pushHeading}</h3>
      <p className="mt-1 mb-3 text-sm text-quiet">{messages.pushText}</p>
      {data?.state === 'unsupported' || data?.state === 'denied' ? (
        <p className="text-sm">{data.state === 'denied' ? messages.pushDenied : messages.pushUnsupported}</p>
      ) : (
        <Button busy={change.isPending} disabled={data === undefined} onClick={() => change.mutate()}>
          {on ? messages.pushOff : messages.pushOn}
        </Button>
      )}
      {change.error ? (
        <p role="alert" className="mt-2 text-sm">
          {messages.pushFailed}
          {refused === 'UNEXPECTED' ? null : `: ${refusal}`}
        </p>
      ) : null}
    </div>
  );
}
