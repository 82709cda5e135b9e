import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { cx } from '../cx.ts';

export interface TabsProps {
  /** Accessible name of the tab list. */
  label: string;
  items: { value: string; label: ReactNode; content: ReactNode }[];
  value?: string | undefined;
  defaultValue?: string | undefined;
  onValueChange?: ((value: string) => void) | undefined;
  /** The arrow keys only move the focus, for a change that may be declined. */
  manual?: boolean;
  className?: string | undefined;
}

/** Views of the same page, one at a time, with arrow keys. For views with an address of their own use links. */
export function Tabs({ label, items, value, defaultValue, onValueChange, manual, className }: TabsProps) {
  return (
    <Radix.Root
      className={className}
      activationMode={manual ? 'manual' : 'automatic'}
      {...(value === undefined ? { defaultValue: defaultValue ?? items[0]?.value ?? '' } : { value })}
      {...(onValueChange ? { onValueChange } : {})}
    >
      <Radix.List className="tabs-list" aria-label={label}>
        {items.map((item) => (
          <Radix.Trigger key={item.value} value={item.value} className="tabs-tab">
            {item.label}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {items.map((item) => (
        <Radix.Content key={item.value} value={item.value} className={cx('mt-5 rounded-control')}>
          {item.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
