import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { cx } from '../cx.ts';

interface MenuItem {
  key: string;
  label: ReactNode;
  icon?: ReactNode;
  onSelect: () => void;
  danger?: boolean | undefined;
  disabled?: boolean | undefined;
  /** A line below the label, such as why it is disabled. */
  hint?: string | undefined;
}

export interface MenuProps {
  /** A `Button` or `IconButton`. */
  trigger: ReactElement;
  items: MenuItem[];
  align?: 'start' | 'center' | 'end' | undefined;
}

/** A short list of actions behind one button. */
export function Menu({ trigger, items, align = 'end' }: MenuProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content className="menu" align={align} sideOffset={6} collisionPadding={8}>
          {items.map((item) => (
            <Radix.Item
              key={item.key}
              className={cx('menu-item', item.danger && 'menu-item-danger')}
              disabled={item.disabled ?? false}
              onSelect={item.onSelect}
            >
              {item.icon}
              {item.hint ? (
                <span className="max-w-60">
                  {item.label}
                  <span className="block text-sm text-quiet">{item.hint}</span>
                </span>
              ) : (
                item.label
              )}
            </Radix.Item>
          ))}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
