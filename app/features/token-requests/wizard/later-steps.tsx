import { WIZARD_STEPS } from '#contract/fields/token-form.ts';
import type { FieldError } from './field-errors.ts';
import { useConfirmation, usePayment, usePaymentQuestions } from './payment.queries.ts';
import { StepContact } from './StepContact.tsx';
import { StepMarket } from './StepMarket.tsx';
import { StepPayment } from './StepPayment.tsx';
import { StepPlan } from './StepPlan.tsx';

export { DraftConflicts } from './DraftConflicts.tsx';
export { OtherPlanNote } from './OtherPlan.tsx';
export { Paid } from './Paid.tsx';

interface LaterStepProps {
  /** From 2 on; the last one, `WIZARD_STEPS`, is the payment. */
  step: number;
  onStep: (step: number) => void;
  /** Called with the error that keeps the order from being paid. */
  onInvalid: (error: FieldError) => void;
}

/** The steps after the first one. */
export function LaterStep({ step, onStep, onInvalid }: LaterStepProps) {
  if (step === 2) return <StepMarket />;
  if (step === 3) return <StepContact />;
  if (step === 4) return <StepPlan />;
  return step === WIZARD_STEPS ? <StepPayment onStep={onStep} onInvalid={onInvalid} /> : null;
}

/** Polls the draft's payment, and shows its confirmation. */
export function PaymentWatch() {
  const payment = usePayment().data?.payment;
  usePaymentQuestions(payment);
  useConfirmation(payment);
  return null;
}
