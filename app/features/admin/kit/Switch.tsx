import { type ReactNode, useEffect, useState } from 'react';
import { cx } from '#app/ui/cx.ts';

interface SwitchProps<Value extends string> {
  /** Label for screen readers. */
  label: string;
  /** Name of the radio group; unique in the document. */
  name: string;
  value: Value;
  choices: readonly (readonly [value: Value, label: ReactNode])[];
  onChoose: (value: Value) => void;
  className?: string;
}

/** A strip of a few exclusive choices. */
export function Switch<Value extends string>({ label, name, value, choices, onChoose, className }: SwitchProps<Value>) {
  // Shows the choice at once: the value may come from the address, which changes a moment later.
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
