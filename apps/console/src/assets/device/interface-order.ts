/** Types of interfaces, the one to be used first comes first: C cellular, E Ethernet, W Wi-Fi. All others come last. */
const all = ['CEW', 'CWE', 'ECW', 'EWC', 'WCE', 'WEC'] as const
export type Order = (typeof all)[number]

const names: Record<string, string> = { C: 'Cellular', E: 'Ethernet', W: 'Wi-Fi' }
export const orders = all.map((value) => ({ value, label: [...value].map((letter) => names[letter]).join(', ') }))

/** As a CORE device takes it, in the steps that it uses itself. */
export const prioritiesOf = (order: Order): Record<string, number> => ({
  ...Object.fromEntries([...order].map((letter, place) => [`TYPE_${letter}`, 10 + 20 * place])),
  TYPE_X: 70,
})

/** The order that priorities by type make; null: they are by interface, of other types, or none. */
export function orderOf(priorities: unknown): Order | null {
  if (typeof priorities !== 'object' || priorities === null) return null
  const given = priorities as Record<string, unknown>
  const numbers = ['C', 'E', 'W'].map((letter) => ({ letter, number: given[`TYPE_${letter}`] }))
  if (numbers.some(({ number }) => typeof number !== 'number')) return null
  const order = numbers.toSorted((one, other) => (one.number as number) - (other.number as number)).map(({ letter }) => letter)
  return all.find((each) => each === order.join('')) ?? null
}
