// Refunds of an order with deposits of 3000 each, and what payer, provider and team do with them.
import { randomBytes } from 'node:crypto';
import type { paymentRig } from './payments.ts';

export const REFUND_ADDRESS = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const SHORT_ADDRESS = 'TR7NHqje…gjLj6t';

type Rig = Awaited<ReturnType<typeof paymentRig>>;
type Admin = ReturnType<Rig['app']['as']>['admin'];
interface Seen {
  id: string;
  version: number;
}

/** Orders whose refunds `back` opens. */
export function refundRig(
  { app, fake, order, callBack }: Pick<Rig, 'app' | 'fake' | 'order' | 'callBack'>,
  back: Admin,
) {
  return async (deposits = 1) => {
    const request = await order('basic');
    const ids = [request.depositId, ...Array.from({ length: deposits - 1 }, () => fake.newDepositId())];
    for (const paymentId of ids) {
      request.move('finished', 1, { payCurrency: 'usdttrc20', paymentId });
      await request.check();
    }
    await app.deliverMails();
    const { paymentId } = request;
    const mails = async () => (await app.deliverMails()).filter(({ to }) => to === request.email);
    const open = (amount: string) =>
      back.refunds.open({ paymentId, asset: 'usdttrc20', amount, reason: 'No llegó a hacerse' });
    const current = async (number: string, admin = back) => {
      const [row] = (await admin.refunds.list({ q: number })).rows;
      if (!row) throw new Error('no refund');
      return row;
    };
    /** The payer enters and confirms the address. */
    const confirm = async ({ id: refundId, number }: { id: string; number: string }) => {
      const who = { id: request.id, key: request.orderKey, refundId };
      await request.api.refunds.setAddress({ ...who, address: REFUND_ADDRESS });
      const code = /\b(\d{8})\b/.exec((await mails()).at(-1)?.text ?? '')?.[1] ?? '';
      await request.api.refunds.confirmAddress({ ...who, code });
      return current(number);
    };
    const claim = ({ id, version }: Seen, admin = back, unanswered = false) =>
      admin.refunds.claim({ id, version, unanswered });
    const release = ({ id, version }: Seen, admin = back) =>
      admin.refunds.release({ id, version, reason: 'No la he pagado' });
    /** Records a transaction of its own for each refund. */
    const note = ({ id, version }: Seen, admin = back) =>
      admin.refunds.send({ id, version, transaction: randomBytes(32).toString('hex'), byProvider: false });
    const send = async (seen: Seen) => note(await claim(seen));
    /** The provider returns a deposit, and its callback does not arrive. */
    const giveBackSilently = (index = 0) =>
      request.move('refunded', 1, { payCurrency: 'usdttrc20', paymentId: ids[index] ?? '' });
    /** The provider returns a deposit and sends a callback. */
    const giveBack = (index = 0) => callBack(giveBackSilently(index));
    const states = async () => (await request.read()).refunds.map(({ amount, state }) => `${amount} ${state}`);
    const own = { ids, mails, open, current, confirm, claim, release, note, send, giveBackSilently, giveBack, states };
    return { ...request, ...own };
  };
}
