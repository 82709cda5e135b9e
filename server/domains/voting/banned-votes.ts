/** Why the votes of a banned member are void. */
export const BANNED = 'member_banned';
