import { globSync, readFileSync } from 'node:fs';
import type { AnyContractProcedure } from '@orpc/contract';
import { expect, it } from 'vitest';
import { contract } from '#contract/index.ts';

/** The calls of the back office that can require step-up, as the browser writes them. */
function stepUpCalls(node: object, path: string): string[] {
  if ('~orpc' in node)
    return 'STEP_UP_NEEDED' in (node as AnyContractProcedure)['~orpc'].errorMap ? [`client.${path}`] : [];
  return Object.entries(node).flatMap(([name, child]) => stepUpCalls(child as object, `${path}.${name}`));
}

const sources = globSync('app/features/admin/**/*.{ts,tsx}')
  .filter((file) => !file.includes('.test.'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));

it('the back office wraps every call that can require step-up in withProof', () => {
  const calls = stepUpCalls(contract.admin, 'admin');
  expect(calls).toContain('client.admin.rounds.closeEarly');
  // Its table of service tests is used in one place.
  const tables = 'app/features/admin/settings/SettingsPanel.tsx: client.admin.settings.test';
  const unwrapped = sources.flatMap(({ file, text }) =>
    calls.flatMap((call) =>
      [...text.matchAll(new RegExp(`${call.replaceAll('.', '\\.')}\\(`, 'g'))]
        .filter(({ index }) => !text.slice(Math.max(0, index - 250), index).includes('withProof('))
        .map(() => `${file}: ${call}`),
    ),
  );
  expect(unwrapped.filter((one) => !one.startsWith(tables))).toEqual([]);
});

it('every use of step-up handles its cancellation', () => {
  // Forms and actions on rows handle it in one place each.
  const handled = /\bCancelled\b|notifyAndRefresh|useAdminForm|useActions/;
  const files = sources.filter(({ text }) => text.includes('useStepUp()')).filter(({ text }) => !handled.test(text));
  expect(files.map(({ file }) => file)).toEqual([]);
});
