// The texts of all mails, gathered from the topics in texts/.
import { accountTexts } from './texts/account.ts';
import { decisionTexts } from './texts/decisions.ts';
import { deliverablesTexts } from './texts/deliverables.ts';
import { everyMailTexts } from './texts/every-mail.ts';
import { notificationTexts, savedTokenTexts } from './texts/notifications.ts';
import { ordersTexts } from './texts/orders.ts';
import { refundsTexts } from './texts/refunds.ts';
import { removalTexts } from './texts/removals.ts';
import { staffTexts } from './texts/staff.ts';
import { submissionsTexts } from './texts/submissions.ts';
import { tokenTexts } from './texts/tokens.ts';

const textsOf = (locale: 'es' | 'en') => ({
  ...everyMailTexts[locale],
  ...accountTexts[locale],
  ...staffTexts[locale],
  ...ordersTexts[locale],
  ...tokenTexts[locale],
  ...decisionTexts[locale],
  ...deliverablesTexts[locale],
  ...refundsTexts[locale],
  ...submissionsTexts[locale],
  ...removalTexts[locale],
  savedToken: savedTokenTexts[locale],
  notification: notificationTexts[locale],
});
export type MailTexts = ReturnType<typeof textsOf>;

export const mailTexts = { es: textsOf('es'), en: textsOf('en') };
