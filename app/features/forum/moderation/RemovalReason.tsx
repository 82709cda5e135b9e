import { useText } from '#app/lib/i18n/i18n.tsx';
import { removalTexts } from '#app/lib/messages/removals.ts';
import { Field, Select, Textarea } from '#app/ui/controls/Field.tsx';
import type { RemovalRule } from '#contract/domains/forum.ts';
import { REASON_MAX, REMOVAL_RULES } from '#contract/limits.ts';

interface Why {
  rule: RemovalRule | '';
  reason: string;
}

interface RemovalReasonProps {
  value: Why;
  onChange: (value: Why) => void;
  /** The text is on the site: says first what its removal does. */
  published?: boolean;
}

/** Why the team removes a text: the rule and the reason that its author is notified of. */
export default function RemovalReason({ value, onChange, published = false }: RemovalReasonProps) {
  const messages = useText(removalTexts).removals;
  return (
    <div className="grid gap-4">
      {published ? <p className="text-quiet">{messages.effect}</p> : null}
      <Field label={messages.rule}>
        <Select
          value={value.rule}
          onChange={({ target }) => onChange({ ...value, rule: target.value as RemovalRule | '' })}
        >
          <option value="">{messages.choose}</option>
          {REMOVAL_RULES.map((rule) => (
            <option key={rule} value={rule}>
              {messages.rules[rule]}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={messages.reason} hint={messages.reasonHint}>
        <Textarea
          rows={3}
          maxLength={REASON_MAX}
          value={value.reason}
          onChange={({ target }) => onChange({ ...value, reason: target.value })}
        />
      </Field>
    </div>
  );
}
