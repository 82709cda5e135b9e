// Loaded before the site: shifts its wall clock by the milliseconds in CLOCK_SHIFT_FILE. Timers are not affected, as
// when the clock of a machine is set.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_SHIFT_FILE;
const RealDate = Date;
let shift = 0;

if (file) {
  setInterval(() => {
    try {
      shift = Number(readFileSync(file, 'utf8')) || 0;
    } catch {
      // The last shift stays in effect.
    }
  }, 200).unref();
  class ShiftedDate extends RealDate {
    /**
     * @override
     * @param {unknown} value
     */
    static [Symbol.hasInstance](value) {
      return value instanceof RealDate;
    }

    /** @param {any[]} given as Date takes them */
    constructor(...given) {
      if (given.length === 0) super(RealDate.now() + shift);
      else super(.../** @type {[number]} */ (given));
    }

    /** @override */
    static now() {
      return RealDate.now() + shift;
    }
  }
  globalThis.Date = /** @type {DateConstructor} */ (/** @type {unknown} */ (ShiftedDate));
}
