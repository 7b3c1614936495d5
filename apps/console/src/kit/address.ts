/** What an address can hold of a screen: each key with its default, which is not written. */
export type AddressDefaults = Record<string, string | number | boolean | readonly string[]>
/** Of the defaults' types, with literals widened. */
export type AddressState<Defaults extends AddressDefaults> = {
  [Key in keyof Defaults]: Defaults[Key] extends readonly string[]
    ? string[]
    : Defaults[Key] extends number
      ? number
      : Defaults[Key] extends boolean
        ? boolean
        : string
}

/** The state of a screen as its address says it; what is missing or makes no sense is the default. */
export function readAddress<Defaults extends AddressDefaults>(params: URLSearchParams, defaults: Defaults): AddressState<Defaults> {
  const state: Record<string, unknown> = {}
  for (const [key, fallback] of Object.entries(defaults)) {
    const text = params.get(key)
    if (text === null) state[key] = Array.isArray(fallback) ? [...(fallback as string[])] : fallback
    else if (Array.isArray(fallback)) state[key] = params.getAll(key).filter((one) => one !== '')
    else if (typeof fallback === 'boolean') state[key] = text === 'true'
    else if (typeof fallback === 'number') state[key] = Number.isInteger(Number(text)) && Number(text) > 0 ? Number(text) : fallback
    else state[key] = text
  }
  return state as AddressState<Defaults>
}

const same = (a: unknown, b: unknown) =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((one, at) => one === b[at]) : a === b

/** The address with some of its state changed. Defaults are left out, keys of others stay. */
export function writeAddress<Defaults extends AddressDefaults>(
  params: URLSearchParams,
  defaults: Defaults,
  patch: Partial<AddressState<Defaults>>
): URLSearchParams {
  const next = new URLSearchParams(params)
  for (const [key, value] of Object.entries(patch)) {
    next.delete(key)
    if (value === undefined || same(value, defaults[key])) continue
    // An empty list that differs from its default must still be told apart from none.
    const values = Array.isArray(value) ? (value.length > 0 ? value : ['']) : [value]
    for (const one of values) next.append(key, String(one))
  }
  return next
}
