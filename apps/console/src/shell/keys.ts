/** What a key pressed anywhere in the console asks for (product.md §5). */
export type Wish = 'palette' | 'search' | 'keys'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** ⌘K or Ctrl-K is for anywhere; `/` and `?` are letters where one writes, and wait behind a dialog. Null: nothing. */
export function wishOf(
  { key, ctrlKey, metaKey, altKey }: Pressed,
  { writing, dialog }: { writing: boolean; dialog: boolean }
): Wish | null {
  if (dialog) return null
  if (key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey) return 'palette'
  if (writing || ctrlKey || metaKey || altKey) return null
  return key === '/' ? 'search' : key === '?' ? 'keys' : null
}

export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'
