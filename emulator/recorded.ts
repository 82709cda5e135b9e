// Callbacks and answers as files, and what the emulator does with one: it answers with it, and sends its signed callback.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Invoice } from './state.ts';

const FOLDER = path.join(import.meta.dirname, 'recorded');

/** A deposit in the provider's own words. */
export interface Recorded {
  name: string;
  about: string;
  /** What the product makes of an order that it is about. */
  expected: { state: string; confirmed: boolean; rawStatus?: string };
  /** Null: the provider sends none. */
  callback: Record<string, unknown> | null;
  answer: Record<string, unknown>;
}

/** All of them, by name. */
export const readRecorded = (): Recorded[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.replace(/\.json$/, ''),
      ...(JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Omit<Recorded, 'name'>),
    }));

/** Its places for ids, filled. @param parent the payment that it belongs to; itself where it has none. */
export function filled(
  body: Record<string, unknown>,
  { invoice, payment, parent }: { invoice: Invoice; payment: number; parent: number },
): Record<string, unknown> {
  const values: Record<string, unknown> = {
    '<payment>': payment,
    '<payment text>': String(payment),
    '<parent>': parent,
    '<invoice>': invoice.id,
    '<invoice text>': String(invoice.id),
    '<order>': invoice.order_id,
    '<description>': invoice.order_description,
  };
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      typeof value === 'string' && value in values ? values[value] : value,
    ]),
  );
}
