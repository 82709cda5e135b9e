import type { SettingName, SettingValue, SiteNotices } from '#contract/domains/settings.ts';

/** The settings as this process sees them: from memory, without a question to the database. */
export interface Settings {
  /** What counts now: the environment of this process, else what is stored, else the standard. */
  get<Name extends SettingName>(name: Name): SettingValue<Name>;
  /** Whether the environment of this process or a stored value decides, and not the standard. */
  decided(name: SettingName): boolean;
  /** The value of the environment of this process; undefined where its variable is not set. */
  given(name: SettingName): unknown;
  /** What the site is called, and the languages that it offers. */
  site(): SiteNotices['site'];
  /** What operators announce to everybody now; by the clock of the database. */
  announcement(): { es: string; en: string } | null;
  /** Reads everything again, as often as it takes. Called at the start, and by itself when something changed. */
  load(): Promise<void>;
  /** Called after a change has been read, and when an announcement begins or ends. @returns ends that. */
  onChange(listener: () => void): () => void;
  /** Seals a secret of this name for the database. */
  seal(name: SettingName, value: string): Buffer;
  /** Whether a stored secret can be opened with this installation's AUTH_SECRET. */
  opens(name: SettingName, sealed: Buffer): boolean;
  /** Ends its timers. */
  close(): void;
}
