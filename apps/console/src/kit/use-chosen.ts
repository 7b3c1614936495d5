import { useState } from 'react'

/**
 * A choice of several that shows and counts at once: the address, and with it `chosen`, follows some frames later, and a second press must not undo
 * the first.
 */
export function useChosen(chosen: readonly string[], onChange: (chosen: string[]) => void) {
  const [latest, setLatest] = useState<readonly string[] | null>(null)
  if (latest?.length === chosen.length && latest.every((one) => chosen.includes(one))) setLatest(null)
  const choose = (next: string[]) => {
    setLatest(next)
    onChange(next)
  }
  return [latest ?? chosen, choose] as const
}
