/** The same fields, and those that are moments in milliseconds since 1970 (`received_at`) as a time: "2026-11-21T14:31:48.250Z". */
export const withTimes = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, name.endsWith('_at') ? timeOf(value) : value]))

function timeOf(value: unknown): unknown {
  if (typeof value !== 'number') return value
  const time = new Date(value)
  return Number.isNaN(time.getTime()) ? value : time.toISOString()
}
