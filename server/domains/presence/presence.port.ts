import type { OnlineUser } from '#contract/domains/presence.ts';
import type { Limit } from '#contract/limits.ts';

/** A heartbeat of an open tab. */
export interface Heartbeat {
  userId: string;
  /** The session that the heartbeat was sent with. */
  authSessionId: string;
  /** Random id of the tab. */
  tabId: string;
  /** The NEXT project whose launch the tab waits for. */
  waitsFor: string | null;
  /** Rate limit of a member's calls about tabs; consumed with the heartbeat in one statement. The same for every heartbeat. */
  limit: Limit;
}

/** Who is online: by name the first 100 visible members, and the number of all visible ones. */
export interface Online {
  data: OnlineUser[];
  total: number;
}

/** Records and reads which members are online. */
export interface PresenceService {
  /**
   * Records the heartbeat of a member's tab; a live event is published only when the member was not online before. The tab ends with
   * its session at the latest. Not audited. Resolves only after the commit.
   *
   * @throws RATE_LIMITED past 120 calls a minute over all tabs of the member.
   * @throws UNAUTHORIZED when the session was ended a moment ago.
   * @throws BUSY when the service is overloaded.
   */
  see(heartbeat: Heartbeat): Promise<void>;
  /** Visible members seen within 5 minutes. Callers that arrive during a read share the next one. */
  online(): Promise<Online>;
}
