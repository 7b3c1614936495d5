export type RememberedView = { columns: string[]; size: number }

const keyOf = (name: string) => `masthead-view-${name}`

/** The columns and page size last chosen in this browser for a table of this name. Null when none were, or they cannot be read. */
export function rememberedView(name: string | undefined): RememberedView | null {
  if (name === undefined) return null
  try {
    const { columns, size } = JSON.parse(localStorage.getItem(keyOf(name)) ?? 'null') as RememberedView
    return Array.isArray(columns) && Number.isInteger(size) ? { columns, size } : null
  } catch {
    return null
  }
}

export const rememberView = (name: string, { columns, size }: RememberedView) =>
  localStorage.setItem(keyOf(name), JSON.stringify({ columns, size }))
