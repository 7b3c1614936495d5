import { GroupName } from '@masthead/contract/backoffice/account-operations'
import { isStaffPermission, staffPermissions, type StaffPermission } from '@masthead/contract/kernel/permission'

/** Not understood: said together with how to get help, exit code 2. */
export class UsageError extends Error {}

/** Not done, or done in part: said on the error output, exit code 1. */
export class Incomplete extends Error {}

/** An entry of a chain as it was shown: its number, then its hash. */
export function chainEntry(text: string | undefined) {
  if (text === undefined) return null
  const [, number, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? []
  if (!number || !hash) throw new UsageError(`${text} is not an entry like 120:5f0c…, with all 64 digits`)
  return { number: Number(number), hash: hash.toLowerCase() }
}

/** The staff permission of that name. */
export function staffPermission(name: string): StaffPermission {
  if (!isStaffPermission(name))
    throw new UsageError(`${name} is no staff permission: there are ${Object.keys(staffPermissions).join(', ')}`)
  return name
}

/** The name of a group. */
export function groupName(name: string): string {
  const { success, data, error } = GroupName.safeParse(name)
  if (!success) throw new UsageError(`${name} is no name of a group: ${error.issues[0]!.message}`)
  return data
}

/** The first day, and the one after the last. */
export function daysOf([from = '', to = '']: readonly string[]): [from: string, to: string] {
  for (const day of [from, to]) if (!isDay(day)) throw new UsageError(`${day} is not a day like 2026-11-01`)
  if (from >= to) throw new UsageError('The second day is to come after the first')
  return [from, to]
}

function isDay(text: string) {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text)
}

/** Rows under their headings, for a terminal. */
export function table(head: string[], rows: string[][]): string {
  if (rows.length === 0) return 'There are none.'
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]!.length)))
  return [head, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd()
    )
    .join('\n')
}
