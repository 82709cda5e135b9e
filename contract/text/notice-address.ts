/** Parameter of addresses in mails, pushes and Telegram messages: id of the notification that opening the page marks as read. */
export const NOTICE_PARAMETER = 'notice';

/** A path whose page marks a notification as read when its member opens it. */
export function withNotice(path: string, id: string): string {
  const fragment = path.indexOf('#');
  const [before, after] = fragment < 0 ? [path, ''] : [path.slice(0, fragment), path.slice(fragment)];
  return `${before}${before.includes('?') ? '&' : '?'}${NOTICE_PARAMETER}=${id}${after}`;
}

/** The notification that an address names, and the address without it; null when it names none. */
export function noticeOf(search: string): { id: string; search: string } | null {
  const parameters = new URLSearchParams(search);
  const id = parameters.get(NOTICE_PARAMETER);
  if (id === null || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) return null;
  parameters.delete(NOTICE_PARAMETER);
  return { id, search: parameters.size > 0 ? `?${parameters}` : '' };
}
