/** Reason of the void votes of a banned member. */
export const BANNED = 'member_banned';
