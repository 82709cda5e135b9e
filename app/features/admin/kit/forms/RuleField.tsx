import { useText } from '#app/lib/i18n/i18n.tsx';
import { removalTexts } from '#app/lib/messages/removals.ts';
import { Field, Select } from '#app/ui/controls/Field.tsx';
import type { RemovalRule } from '#contract/domains/forum.ts';
import { REMOVAL_RULES } from '#contract/limits.ts';

interface RuleFieldProps {
  value: RemovalRule | '';
  onChange: (rule: RemovalRule | '') => void;
}

/** The rule that a removed text breaks; initially none. */
export function RuleField({ value, onChange }: RuleFieldProps) {
  const messages = useText(removalTexts).removals;
  return (
    <Field label={messages.rule} hint={messages.reasonHint}>
      <Select value={value} onChange={({ target }) => onChange(target.value as RemovalRule | '')}>
        <option value="">{messages.choose}</option>
        {REMOVAL_RULES.map((rule) => (
          <option key={rule} value={rule}>
            {messages.rules[rule]}
          </option>
        ))}
      </Select>
    </Field>
  );
}
