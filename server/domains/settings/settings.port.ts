import type { SettingName, SettingValue, SiteNotices } from '#contract/domains/settings.ts';

/** The settings of this process: from memory, without a query. */
export interface Settings {
  /** The effective value: from the environment of this process, else the stored one, else the default. */
  get<Name extends SettingName>(name: Name): SettingValue<Name>;
  /** True when the effective value is not the default. */
  decided(name: SettingName): boolean;
  /** The value from the environment of this process; undefined when its variable is not set. */
  given(name: SettingName): unknown;
  /** Name and mark of the site, and its languages. */
  site(): SiteNotices['site'];
  /** The current announcement of the operators; by the clock of the database. */
  announcement(): { es: string; en: string } | null;
  /** Reloads all settings, with retries. Called at the start, and automatically after a change. */
  load(): Promise<void>;
  /** Subscribes to reloads after a change, and to the start and end of an announcement. @returns the function to unsubscribe. */
  onChange(listener: () => void): () => void;
  /** Encrypts the secret of this name for the database. */
  seal(name: SettingName, value: string): Buffer;
  /** True when a stored secret can be decrypted with this installation's AUTH_SECRET. */
  opens(name: SettingName, sealed: Buffer): boolean;
  /** Stops its timers. */
  close(): void;
}
