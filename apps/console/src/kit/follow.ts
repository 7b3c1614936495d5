/** Values of a form, by field. */
export type Values = Readonly<Record<string, unknown>>

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Which fields of an open form take what is shown now: those that changed, but for those in which something was typed since.
 * `before` is what the form showed, `after` what it is to show, `typed` what stands in it, `sent` what was last saved of it.
 */
export const following = (before: Values, after: Values, typed: Values, sent: Values | null): string[] =>
  Object.keys(after).filter(
    (name) => !same(typed[name], after[name]) && (same(typed[name], before[name]) || (sent !== null && same(typed[name], sent[name])))
  )
