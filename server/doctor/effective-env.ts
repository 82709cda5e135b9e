import type { SETTING_NAMES } from '#contract/domains/settings.ts';
import type { Db } from '#server/db/client.ts';
import { definitionOf, readSettings, settingsFromEnv } from '#server/domains/settings/settings.service.ts';
import type { Env } from '#server/env.ts';

/**
 * The effective configuration: variables that the environment leaves out are filled from the settings of the back
 * office.
 */
export async function effectiveEnv(db: Db, env: Env, source: NodeJS.ProcessEnv): Promise<Env> {
  // A database older than this version may lack the table.
  const found = await readSettings(db, env.AUTH_SECRET, settingsFromEnv(source)).catch(() => ({}));
  const filled = Object.entries(found).flatMap(([name, value]) => {
    const { variable } = definitionOf(name as (typeof SETTING_NAMES)[number]);
    return variable ? [[variable, value] as const] : [];
  });
  return { ...env, ...Object.fromEntries(filled) };
}
