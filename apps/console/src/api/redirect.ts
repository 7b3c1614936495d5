/** Where to go after signing in: an address of this console, never of another site. Browsers drop tabs and line ends from addresses, so that none may hide a second slash. */
export const safeRedirect = (wanted: string | null) => (wanted && /^\/(?![/\\])\P{Cc}*$/u.test(wanted) ? wanted : '/')

/** Where to go in the backoffice once one may: one of its own screens, and not the one where that is asked; its home for anything else. */
export function backofficeRedirect(wanted: string | null): string {
  const to = safeRedirect(wanted)
  // As the browser reads it: `..` leads out.
  const { pathname } = new URL(to, 'http://here')
  return /^\/masa(?!\/access(\/|$))(\/|$)/.test(pathname) && to.startsWith(pathname) ? to : '/masa'
}
