import { Check } from 'lucide-react';
import { useText } from '#app/lib/i18n/i18n.tsx';
import { createTexts } from '#app/lib/messages/create.ts';
import { cx } from '#app/ui/cx.ts';

interface StepListProps {
  step: number;
  reached: number;
  onStep: (step: number) => void;
}

/** The five steps: the current one, and links to the reached ones. */
export function StepList({ step, reached, onStep }: StepListProps) {
  const text = useText(createTexts).create;
  return (
    <nav aria-label={text.stepsLabel}>
      <ol className="grid grid-cols-5 gap-1.5 sm:gap-2">
        {text.steps.map((name, i) => {
          const number = i + 1;
          const current = number === step;
          const done = number < step || (number < reached && !current);
          const open = number <= reached;
          return (
            <li key={name}>
              <button
                type="button"
                aria-current={current ? 'step' : undefined}
                disabled={!open}
                onClick={() => onStep(number)}
                className={cx(
                  'flex h-full min-h-11 w-full flex-col items-center gap-1 rounded-t-control rounded-b-[3px] border-b-3 py-1.5 text-center transition-colors sm:flex-row sm:gap-1.5 sm:px-2 sm:text-left lg:px-2.5',
                  current
                    ? 'border-lead bg-lead-soft'
                    : open
                      ? 'border-mint bg-panel hover:bg-raised'
                      : 'border-line bg-raised text-quiet',
                )}
              >
                <span
                  className={cx(
                    'grid size-7 flex-none place-items-center rounded-full font-display text-sm font-bold',
                    current
                      ? 'bg-lead text-on-lead'
                      : done
                        ? 'bg-mint-soft text-mint-text'
                        : 'border border-edge text-quiet',
                  )}
                  aria-hidden="true"
                >
                  {done ? <Check className="size-4" /> : number}
                </span>
                <span className="visually-hidden">{text.stepOf(number, text.steps.length)}: </span>
                <span className="text-[0.75rem] leading-[1.15] font-semibold tracking-tight sm:text-[0.8125rem] sm:tracking-normal max-sm:w-full max-sm:hyphens-auto max-sm:wrap-anywhere">
                  {name}
                </span>
                {done ? <span className="visually-hidden">({text.stepDone})</span> : null}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
