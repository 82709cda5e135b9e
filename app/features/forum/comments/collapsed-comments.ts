/** Hidden on narrow screens until a button shows it; without scripts the button would not work. */
export const COLLAPSED = 'max-sm:hidden [@media(scripting:none)]:block!';
/** The same on wide screens, for everything after the first comment. */
export const COLLAPSED_WIDE = 'sm:hidden [@media(scripting:none)]:list-item!';
/** On a wide screen up to this many comments of a post in a list are shown; of more only the first, until the user opens them. */
export const SHOWN_WIDE = 2;
