import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { readPush, turnPushOff, turnPushOn } from './browser-push.ts';
import { useLocaleAndZone } from './notifications.queries.ts';

const KEY = ['browser push'];

/** Push notifications in this browser. It asks for permission when the button is pressed, and never before. */
export function BrowserPush({ siteKey }: { siteKey: string }) {
  const text = useText(notificationTexts);
  const { notifications: messages } = text;
  const queries = useQueryClient();
  const localeAndZone = useLocaleAndZone();
  const { data: state } = useQuery({ queryKey: KEY, queryFn: readPush, staleTime: 0 });
  const change = useMutation({
    mutationFn: () => (state === 'on' ? turnPushOff() : turnPushOn(siteKey, localeAndZone)),
    onSuccess: (next) => queries.setQueryData(KEY, next),
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
      {state === 'unsupported' || state === 'denied' ? (
        <p className="text-sm">{state === 'denied' ? messages.pushDenied : messages.pushUnsupported}</p>
      ) : (
        <Button busy={change.isPending} disabled={state === undefined} onClick={() => change.mutate()}>
          {state === 'on' ? messages.pushOff : messages.pushOn}
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
