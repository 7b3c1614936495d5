/** What is used of a window. */
type WithHistory = {
  history: Pick<History, 'state' | 'replaceState'>
  addEventListener: (type: 'popstate', listener: () => void) => void
}

const numberOf = (state: unknown) => (state as { idx?: number } | null)?.idx

/**
 * Numbers the entries of the history that the browser makes of addresses typed behind the `#`. The router numbers its own (`idx`) and reads of
 * the numbers how far Back went; into an entry without one it goes and asks nobody (`useBlocker`), and out of one it goes back too far.
 * Called before the router listens; what it returns is called after the router has moved.
 */
export function numberEntries(window: WithHistory): () => void {
  const { history } = window
  let at = numberOf(history.state) ?? 0
  window.addEventListener('popstate', () => {
    // One that is typed follows the one that is shown. Its key is what the router tells places in the history apart by.
    if (numberOf(history.state) === undefined)
      history.replaceState({ ...(history.state as object | null), idx: at + 1, key: Math.random().toString(36).slice(2, 10) }, '')
    at = numberOf(history.state)!
  })
  return () => {
    at = numberOf(history.state) ?? at
  }
}
