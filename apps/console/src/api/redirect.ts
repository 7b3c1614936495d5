/** Where to go after signing in: an address of this console, never of another site. Browsers drop tabs and line ends from addresses, so that none may hide a second slash. */
export const safeRedirect = (wanted: string | null) => (wanted && /^\/(?![/\\])\P{Cc}*$/u.test(wanted) ? wanted : '/')
