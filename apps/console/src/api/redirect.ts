/** Where to go after signing in: an address of this console, never of another site. */
export const safeRedirect = (wanted: string | null) => (wanted && /^\/(?![/\\])/.test(wanted) ? wanted : '/')
