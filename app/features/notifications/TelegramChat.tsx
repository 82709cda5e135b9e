import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { codeOf, failureText } from '#app/lib/api/failure.ts';
import { IDEMPOTENT_RETRY } from '#app/lib/api/lost-answer.ts';
import { rpc } from '#app/lib/api/rpc.ts';
import { dateTime, day } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { serverClock } from '#app/lib/live/clock.ts';
import { notificationTexts } from '#app/lib/messages/notifications.ts';
import { notify } from '#app/lib/notices/notify.ts';
import { Button } from '#app/ui/controls/Button.tsx';
import { buttonClass } from '#app/ui/controls/button-class.ts';
import { settingsQuery, useLocaleAndZone } from './notifications.queries.ts';

interface Telegram {
  bot: string;
  chat: { name: string; since: string } | null;
}

/** The Telegram chat that receives the member's notifications: linking and unlinking it. */
export function TelegramChat({ telegram: { bot, chat } }: { telegram: Telegram }) {
  const text = useText(notificationTexts);
  const { notifications: messages } = text;
  const locale = useLocale();
  const localeAndZone = useLocaleAndZone();
  const queries = useQueryClient();
  const link = useMutation(rpc.notifications.linkTelegram.mutationOptions(IDEMPOTENT_RETRY));
  const unlink = useMutation(
    rpc.notifications.unlinkTelegram.mutationOptions({
      ...IDEMPOTENT_RETRY,
      onSuccess: () => notify.success({ title: messages.telegramOff }),
      onError: (error) => notify.failed(error, { title: messages.saveFailed, text: failureText(error, text) }),
      onSettled: () => queries.invalidateQueries({ queryKey: settingsQuery().queryKey }),
    }),
  );
  const { reset } = link;
  // The link is used up once the chat is linked.
  useEffect(() => {
    if (chat) reset();
  }, [chat, reset]);
  const refused = link.error && codeOf(link.error);
  const refusal = refused === 'TELEGRAM_OFF' ? messages.telegramNoBot : refused && failureText(link.error, text);
  const ended = useEnded(link.data?.until);
  const address = ended ? undefined : link.data;
  // Replaces the pressed button.
  const opens = useRef<HTMLAnchorElement>(null);
  const url = address?.url;
  useEffect(() => {
    if (url !== undefined) opens.current?.focus();
  }, [url]);
  return (
    <div className="card p-4">
      <h3 className="text-base">{messages.telegramHeading}</h3>
      <p className="mt-1 mb-3 text-sm text-quiet">{messages.telegramText(bot)}</p>
      {chat ? (
        <p className="mb-3 text-sm wrap-anywhere">{messages.telegramLinked(chat.name, day(chat.since, locale, {}))}</p>
      ) : null}
      {address && !chat ? (
        <div role="status">
          <a
            ref={opens}
            className={buttonClass({ variant: 'primary' })}
            href={address.url}
            target="_blank"
            rel="noreferrer"
          >
            {messages.telegramOpen(bot)}
          </a>
          <p className="mt-3 text-sm">{messages.telegramUntil(dateTime(address.until, locale))}</p>
        </div>
      ) : (
        // One button for both, so that it keeps the focus.
        <Button
          busy={link.isPending || unlink.isPending}
          onClick={() => (chat ? unlink.mutate(undefined) : link.mutate(localeAndZone))}
        >
          {chat ? messages.telegramUnlink : messages.telegramLink}
        </Button>
      )}
      {link.error ? (
        <p role="alert" className="mt-2 text-sm">
          {messages.telegramFailed}
          {refused === 'UNEXPECTED' ? null : `: ${refusal}`}
        </p>
      ) : null}
    </div>
  );
}

/** True once a time has passed while the page was open. */
function useEnded(until: string | undefined): boolean {
  const [ended, setEnded] = useState(false);
  useEffect(() => {
    setEnded(false);
    if (until === undefined) return;
    const timer = setTimeout(() => setEnded(true), Math.max(0, Date.parse(until) - serverClock.now()));
    return () => clearTimeout(timer);
  }, [until]);
  return ended;
}
