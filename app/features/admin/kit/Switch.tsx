import { type ReactNode, useEffect, useState } from 'react';
import { cx } from '#app/ui/cx.ts';

interface SwitchProps<Value extends string> {
  /** For screen readers. */
  label: string;
  /** Of the radio group; once in a document. */
  name: string;
  value: Value;
  choices: readonly (readonly [value: Value, label: ReactNode])[];
  onChoose: (value: Value) => void;
  className?: string;
}

/** A strip of a few choices, of which one is made. */
export function Switch<Value extends string>({ label, name, value, choices, onChoose, className }: SwitchProps<Value>) {
  // What was chosen shows at once: the value may stand in the address, which follows a moment later.
  const [chosen, setChosen] = useState(value);
  useEffect(() => setChosen(value), [value]);
  return (
    <fieldset className={cx('admin-switch', className)}>
      <legend className="visually-hidden">{label}</legend>
      {choices.map(([one, messages]) => (
        <label key={one}>
          <input
            type="radio"
            name={name}
            className="visually-hidden"
            checked={chosen === one}
            onChange={() => {
              setChosen(one);
              onChoose(one);
            }}
          />
          {messages}
        </label>
      ))}
    </fieldset>
  );
}
