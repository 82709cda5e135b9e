import { useText } from '#app/lib/i18n/i18n.tsx';
import { adminEditorialTexts } from '#app/lib/messages/admin/editorial.ts';
import { useActionText } from '../audit/action-text.ts';
import { difference } from './difference.ts';

type Fields = Readonly<Record<string, unknown>>;

const isEmpty = (value: unknown) => value === null || value === undefined || value === '';
const isSame = (one: unknown, other: unknown) =>
  (isEmpty(one) && isEmpty(other)) || JSON.stringify(one) === JSON.stringify(other);

interface DifferencesProps {
  before: Fields;
  after: Fields;
  /** Label of a field; default: the label of the audit log. */
  nameOf?: (field: string) => string;
}

/** Each field that differs, with removed and added text marked. */
export function Differences({ before, after, nameOf }: DifferencesProps) {
  const messages = useText(adminEditorialTexts).editorial.versions;
  const texts = useActionText();
  const names = Object.keys({ ...before, ...after }).filter((name) => !isSame(before[name], after[name]));
  if (names.length === 0) return <p className="text-sm text-quiet">{messages.same}</p>;
  const textOf = (value: unknown, name: string) =>
    typeof value === 'string' ? value : isEmpty(value) ? '' : texts.value(value, name);
  return (
    <dl className="grid gap-3">
      {names.map((name) => (
        <div key={name} className="min-w-0">
          <dt className="text-sm text-quiet">{(nameOf ?? texts.field)(name)}</dt>
          <dd className="admin-difference" dir="auto">
            {difference(textOf(before[name], name), textOf(after[name], name)).map(({ kind, text }, index) => {
              // A segment has no id of its own, and the list never changes.
              const key = `${index}`;
              if (kind === 'same') return <span key={key}>{text}</span>;
              const Tag = kind === 'removed' ? 'del' : 'ins';
              return (
                <Tag key={key}>
                  <span className="visually-hidden">{kind === 'removed' ? messages.removed : messages.added} </span>
                  {text}
                </Tag>
              );
            })}
          </dd>
        </div>
      ))}
    </dl>
  );
}
