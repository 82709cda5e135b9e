import { expect, it } from 'vitest';
import { adminSettingsTexts } from '#app/lib/messages/admin/settings.ts';
import { SETTINGS, type SettingName } from '#contract/domains/settings.ts';
import { settingsFor } from './settings.ts';

const stored = (Object.keys(SETTINGS) as SettingName[]).map((name) => ({ name, group: SETTINGS[name].group }));
const found = (typed: string, locale: 'es' | 'en' = 'es') =>
  settingsFor(typed, stored, adminSettingsTexts[locale].settings.names);

it('each setting is found by its label in both languages, ignoring case and accents, and links to its group', () => {
  for (const locale of ['es', 'en'] as const)
    for (const { name, group } of stored) {
      const { label } = adminSettingsTexts[locale].settings.names[name];
      expect(found(label.toUpperCase(), locale), label).toContainEqual({ name, path: `/admin/settings#${group}` });
    }
  expect(found('buzon de AYUDA').map(({ name }) => name)).toEqual(['supportEmail']);
  expect(found('supportEmail').map(({ name }) => name)).toEqual(['supportEmail']);
});

it('a text of two characters, or one that no label contains, finds no setting', () => {
  for (const typed of ['', '  ', 'de', 'nada se llama así', 'ana@florka.test']) expect(found(typed), typed).toEqual([]);
});
