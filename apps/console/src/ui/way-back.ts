const controls = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled'

/**
 * Remembers where the focus is. Called later, it puts the focus on what took that place, should it have gone meanwhile with what was there:
 * the row after one that was deleted, not the top of the page.
 */
export function rememberPlace(): () => void {
  const places: { parent: Element; at: number }[] = []
  for (let one = document.activeElement; one?.parentElement; one = one.parentElement)
    places.push({ parent: one.parentElement, at: [...one.parentElement.children].indexOf(one) })
  return () => {
    if (document.activeElement !== document.body) return
    for (const { parent, at } of places) {
      if (!parent.isConnected) continue
      const next = parent.children[Math.min(at, parent.children.length - 1)]
      const control = next?.matches(controls) ? next : (next?.querySelector(controls) ?? parent.querySelector(controls))
      if (control) return (control as HTMLElement).focus()
    }
  }
}
