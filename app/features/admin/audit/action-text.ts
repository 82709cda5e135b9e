import { coinText } from '#app/lib/format/coins.ts';
import { coins, dateTime, day } from '#app/lib/format/format.ts';
import { useLocale, useText } from '#app/lib/i18n/i18n.tsx';
import { adminAuditActionTexts } from '#app/lib/messages/admin/audit-actions.ts';
import { adminAuditChoiceTexts } from '#app/lib/messages/admin/audit-choices.ts';
import { adminAuditFieldTexts } from '#app/lib/messages/admin/audit-fields.ts';
import { adminAuditValueTexts } from '#app/lib/messages/admin/audit-values.ts';
import { adminTexts } from '#app/lib/messages/admin/kit.ts';
import { coinsTexts } from '#app/lib/messages/coins.ts';
import { usePlanName } from '../kit/plan-name.ts';

interface ActionText {
  action: (name: string) => string;
  kind: (name: string) => string;
  field: (name: string) => string;
  /** Name of an exported list. */
  list: (name: string) => string;
  /** A value as text: the label of a choice, times in the reader's time zone, lists and records formatted as such. */
  value: (value: unknown, field?: string) => string;
}

/** Fields whose value is one of a few choices; in all others text is user input. */
const CHOICES = new Set([
  'status',
  'paymentStatus',
  'moderatorRequestStatus',
  'migrationStatus',
  'role',
  'staffRoles',
  'network',
  'as',
  'what',
  'how',
  'why',
  'state',
  'shelf',
  'bucket',
  'mine',
  'top3',
  'attention',
  'cause',
  'signal',
]);
const MOMENT = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}(:?\d{2})?)$/;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** True for an id of a record or person, which is shown shortened in the middle. */
export const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value);
const FIGURE = /^-?\d+(\.\d+)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Labels of actions, resource types, fields and values of the audit log; an old one that is no longer written is shown by its code. */
export function useActionText(): ActionText {
  const {
    auditActions,
    auditKinds,
    auditFields,
    auditLists,
    auditValues,
    auditChoices,
    admin,
    coins: coinTexts,
  } = useText(
    adminAuditActionTexts,
    adminAuditFieldTexts,
    adminAuditValueTexts,
    adminAuditChoiceTexts,
    adminTexts,
    coinsTexts,
  );
  const locale = useLocale();
  const { yes, no } = admin.conflict;
  const planName = usePlanName();
  const textOf = (messages: Record<string, string>) => (name: string) =>
    (Object.hasOwn(messages, name) ? messages[name] : name) ?? name;
  const field = textOf(auditFields);
  const choice = textOf(auditValues);
  function value(value: unknown, name = ''): string {
    if (typeof value === 'boolean') return value ? yes : no;
    if (value === null || value === undefined || value === '') return '—';
    if (typeof value === 'number') return coins(value, locale);
    if (Array.isArray(value)) return value.length === 0 ? '—' : value.map((one) => element(one, name)).join(', ');
    if (typeof value === 'object')
      return Object.entries(value)
        .map(([key, one]) => `${field(key)}: ${element(one, key)}`)
        .join(' · ');
    const text = String(value);
    if (MOMENT.test(text)) return dateTime(text, locale);
    if (DAY.test(text)) return day(text, locale);
    if (ID.test(text)) return `${text.slice(0, 8)}…${text.slice(-4)}`;
    if (name === 'plan') return planName(text);
    if (name === 'asset' || name === 'currency') return coinText(text, coinTexts.on);
    if (Object.hasOwn(auditChoices, name)) return textOf(auditChoices[name as keyof typeof auditChoices])(text);
    // A change arrives as 'before → after'.
    const sides = text.split(' → ');
    if (CHOICES.has(name)) return sides.map(choice).join(' → ');
    return sides.length === 2 && sides.every((side) => FIGURE.test(side))
      ? sides.map((side) => coins(side, locale)).join(' → ')
      : text;
  }
  /** Within a list or record: a nested one is in brackets. */
  const element = (one: unknown, name: string): string => {
    const messages = value(one, name);
    return typeof one === 'object' && one !== null ? `(${messages})` : messages;
  };
  return { action: textOf(auditActions), kind: textOf(auditKinds), field, list: textOf(auditLists), value };
}
