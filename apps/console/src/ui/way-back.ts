const controls = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled'

type Place = { parent: Element; at: number }
/** Where the focus was before the dialog that is open; what was pressed in one may open the next. */
let last: Place[] = []

function placesOf(element: Element | null): Place[] {
  const places: Place[] = []
  for (let one = element; one?.parentElement && one !== document.body; one = one.parentElement)
    places.push({ parent: one.parentElement, at: [...one.parentElement.children].indexOf(one) })
  return places
}

/**
 * Remembers where the focus is. Called later, it puts the focus on what took that place, should it have gone meanwhile with what was there:
 * the row after one that was deleted, not the top of the page.
 */
export function rememberPlace(): () => void {
  const here = placesOf(document.activeElement)
  if (here.length > 0) last = here
  return () => {
    if (document.activeElement !== document.body) return
    for (const { parent, at } of last) {
      if (!parent.isConnected || parent === document.body) continue
      const next = parent.children[Math.min(at, parent.children.length - 1)]
      const control = next?.matches(controls) ? next : (next?.querySelector(controls) ?? parent.querySelector(controls))
      if (control) return (control as HTMLElement).focus()
    }
  }
}
